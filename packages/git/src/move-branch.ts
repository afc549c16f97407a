import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "@ralpher/contract";
import { gitFault } from "./git-fault.ts";
import { readBranch } from "./read-ref.ts";
import type { Git, GitResult } from "./run-git.ts";
import { changedFiles } from "./status.ts";
import { refs } from "./trash.ts";
import type { Tree } from "./tree.ts";
import { updateRefs } from "./update-refs.ts";

export interface BranchMove {
  branch: string;
  from: string;
  /** A descendant of `from`, where nothing else is said. */
  to: string;
}

/** A branch may get a commit while we work on it; so often in a row it is something else. */
const mostTries = 5;

/** Try until the branch held still. An attempt is null when the branch moved meanwhile. @throws Fault `git_failed` */
export async function untilItHoldsStill<T>(branch: string, attempt: () => Promise<T | null>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const done = await attempt();
    if (done !== null) return done;
    if (tries >= mostTries) {
      const detail = `${branch} keeps moving; try again when nobody commits to it`;
      throw new Fault("git_failed", { command: "merge", detail });
    }
  }
}

/** Move a branch nobody has checked out, to any commit. False when it is no longer at `from`. */
export async function moveBranch(git: Git, home: Tree, { branch, from, to }: BranchMove): Promise<boolean> {
  const result = await updateRefs(git, home.top, [{ ref: refs.branch(branch), to, old: from }], "move a branch");
  if (result.code === 0) return true;
  if ((await readBranch(git, home, branch)) !== from) return false;
  throw gitFault(["update-ref"], result, home.top);
}

/**
 * Move a branch together with the files of the checkout it is in. Git itself refuses when that would touch uncommitted
 * changes, and leaves unrelated ones alone. False when the branch is no longer at `from`.
 * @throws Fault `target_not_clean`
 */
export async function moveCheckedOut(git: Git, home: Tree, place: string, move: BranchMove): Promise<boolean> {
  const args = [
    "merge",
    "--ff-only",
    "--no-squash",
    "--no-autostash",
    "--no-verify-signatures",
    "--no-overwrite-ignore",
  ];
  const result = await git.run([...args, "--quiet", move.to], { cwd: place });
  return settle(git, home, place, move, result, args);
}

/**
 * Move a branch to a commit that is no descendant, together with the files of the checkout it is in. Git refuses when
 * that would touch uncommitted changes. False when the branch is no longer at `from`. @throws Fault `target_not_clean`
 */
export async function resetCheckedOut(git: Git, home: Tree, place: string, move: BranchMove): Promise<boolean> {
  if ((await readBranch(git, home, move.branch)) !== move.from) return false;
  const args = ["checkout", "--quiet", "--no-overwrite-ignore", "-B", move.branch, move.to];
  const result = await git.run([...args, "--"], { cwd: place });
  return settle(git, home, place, move, result, args);
}

/**
 * Switch a checkout from the loop's branch to the original one, moved. One command, so that either both happen or
 * neither. @throws Fault `target_not_clean`
 */
export async function switchAndMove(git: Git, home: Tree, move: BranchMove): Promise<boolean> {
  const args = ["checkout", "--quiet", "--no-overwrite-ignore", "-B", move.branch, move.to];
  const result = await git.run([...args, "--"], { cwd: home.top });
  return settle(git, home, home.top, { ...move, from: "HEAD" }, result, args);
}

async function settle(
  git: Git,
  home: Tree,
  place: string,
  move: BranchMove,
  result: GitResult,
  args: string[],
): Promise<boolean> {
  const at = await readBranch(git, home, move.branch);
  if (at === move.to) return true;
  const files = await inTheWay(git, place, move.from, move.to);
  if (files.length > 0) throw new Fault("target_not_clean", { branch: move.branch, files });
  if (move.from !== "HEAD" && at !== move.from) return false;
  throw gitFault(args, result, place);
}

/** Files with uncommitted changes, or ignored by git, that going from one commit to the other would overwrite. */
export async function inTheWay(git: Git, place: string, from: string, to: string): Promise<string[]> {
  const text = await git.output(
    ["diff", "--name-status", "--no-renames", "--no-relative", "--no-ext-diff", "-z", from, to, "--"],
    { cwd: place },
  );
  const fields = text.split("\0");
  const uncommitted = new Set(await changedFiles(git, place));
  const folders = new Set([...uncommitted].flatMap(foldersOf));
  const files: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const path = fields[at + 1] ?? "";
    const blocked =
      uncommitted.has(path) ||
      folders.has(path) ||
      foldersOf(path).some((folder) => uncommitted.has(folder)) ||
      (fields[at] === "A" && (await lstat(join(place, path)).catch(() => null)) !== null);
    if (blocked) files.push(path);
  }
  return files;
}

/** `a/b/c` is in `a` and `a/b`. */
export function foldersOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, count) => parts.slice(0, count + 1).join("/"));
}
