import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { gitFault } from "./git-fault.ts";
import { readHead } from "./read-ref.ts";
import type { Git } from "./run-git.ts";
import { findUpwards, isDirectory, type Tree } from "./tree.ts";

/** What a folder is to git. `prefix` is its path from the top of the tree, empty or with a slash at the end. */
export type Survey =
  | { kind: "missing" | "not_a_repository" | "bare" }
  | { kind: "no_commits"; tree: Tree; prefix: string }
  | { kind: "detached"; tree: Tree; prefix: string; head: string }
  | { kind: "repository"; tree: Tree; prefix: string; head: string; branch: string };

/** Look at a folder with one process. @throws Fault `git_missing`, `git_failed` when git refuses the repository */
export async function survey(git: Git, directory: string): Promise<Survey> {
  if (!(await isDirectory(directory))) return { kind: "missing" };
  const args = ["rev-parse", "--is-bare-repository", "--is-inside-work-tree", "--absolute-git-dir"];
  args.push("--git-common-dir", "--show-prefix", "--show-toplevel");
  const result = await git.run(args, { cwd: directory });
  const [bare, inside, gitDir, commonDir, prefix, top] = result.stdout.split("\n");
  if (bare === "true") return { kind: "bare" };
  if (inside === "false") return { kind: "not_a_repository" };
  if (!gitDir || !commonDir || prefix === undefined || !top) {
    // There is one, and git will not use it: it belongs to somebody else (safe.directory), or is damaged.
    if ((await findUpwards(directory, ".git")) !== null) throw gitFault(args, result, directory);
    return { kind: (await isBare(directory)) ? "bare" : "not_a_repository" };
  }
  const tree = { top, gitDir, commonDir: await realpath(resolve(directory, commonDir)) };
  const { branch, sha } = await readHead(git, tree);
  if (sha === null) return { kind: "no_commits", tree, prefix };
  if (branch === null) return { kind: "detached", tree, prefix, head: sha };
  return { kind: "repository", tree, prefix, head: sha, branch };
}

/** `safe.bareRepository` makes git deny that it sees one. */
async function isBare(directory: string): Promise<boolean> {
  const folder = await findUpwards(directory, "HEAD");
  return folder !== null && (await isDirectory(resolve(folder, "objects"))) && isDirectory(resolve(folder, "refs"));
}
