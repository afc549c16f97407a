import { join } from "node:path";
import { Fault } from "@ralpher/contract";
import type { Git } from "./run-git.ts";
import { exists, readText, type Tree } from "./tree.ts";

/** Where a tree is. `branch` is null when HEAD is detached, `sha` when there is no commit yet. */
export interface Head {
  branch: string | null;
  sha: string | null;
}

/** What HEAD of a tree says. Reads files; asks git only where their format is not the usual one. */
export async function readHead(git: Git, tree: Tree): Promise<Head> {
  const text = (await readText(join(tree.gitDir, "HEAD")))?.trim() ?? "";
  const branch = /^ref: refs\/heads\/(.+)$/.exec(text)?.[1];
  // A repository with reftables has this stand-in for HEAD.
  if (branch !== undefined && branch !== ".invalid") return { branch, sha: await readBranch(git, tree, branch) };
  const name = await git.run(["symbolic-ref", "-q", "HEAD"], { cwd: tree.gitDir });
  const sha = await askRef(git, tree.gitDir, "HEAD");
  return { branch: name.code === 0 ? name.stdout.trim().replace(/^refs\/heads\//, "") : null, sha };
}

/** The commit a branch is at, or null when there is no such branch. */
export function readBranch(git: Git, tree: Tree, branch: string): Promise<string | null> {
  return readRef(git, tree, `refs/heads/${branch}`);
}

/** The same. @throws Fault `branch_missing` */
export async function requireBranch(git: Git, tree: Tree, branch: string): Promise<string> {
  const sha = await readBranch(git, tree, branch);
  if (sha === null) throw new Fault("branch_missing", { branch });
  return sha;
}

/** The object a full ref name stands for, or null. Saves a process in the usual formats: loose or packed. */
export async function readRef(git: Git, tree: Tree, ref: string): Promise<string | null> {
  const loose = (await readText(join(tree.commonDir, ref)))?.trim();
  if (loose !== undefined) return isObjectId(loose) ? loose : askRef(git, tree.commonDir, ref);
  const packed = await readText(join(tree.commonDir, "packed-refs"));
  const end = packed?.indexOf(` ${ref}\n`) ?? -1;
  if (packed && end >= 0) return packed.slice(packed.lastIndexOf("\n", end) + 1, end);
  return (await exists(join(tree.commonDir, "reftable"))) ? askRef(git, tree.commonDir, ref) : null;
}

function isObjectId(text: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

async function askRef(git: Git, cwd: string, ref: string): Promise<string | null> {
  const result = await git.run(["rev-parse", "-q", "--verify", ref], { cwd });
  return result.code === 0 ? result.stdout.trim() : null;
}
