import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { GitWorkspace } from "@ralpher/contract";
import { shorten } from "./git-fault.ts";
import { findHome } from "./home.ts";
import { findKey } from "./loop-record.ts";
import { mergeTrees } from "./merge-trees.ts";
import { inTheWay } from "./move-branch.ts";
import { readCommit } from "./read-commit.ts";
import { readHead } from "./read-ref.ts";
import { findDiscarded } from "./restore.ts";
import type { Room } from "./room.ts";
import { refs } from "./trash.ts";
import type { Tree } from "./tree.ts";
import { readStash } from "./uncommitted.ts";
import { updateRefs } from "./update-refs.ts";

type Restored = "nothing" | "restored" | { kept: string; why: string };

/**
 * Give the user's stashed changes back to their checkout. It is tried only when it will work out: a stash that would
 * conflict, or overwrite something, is kept as it is, and the checkout with it.
 */
export async function restoreStash(room: Room, workspace: GitWorkspace): Promise<Restored> {
  const home = await findHome(workspace);
  const sha = home === null ? workspace.stashSha : await findKept(room, home, workspace);
  if (sha === undefined) return "nothing";
  const kept = (why: string): Restored => ({ kept: sha, why: `${why}. Get them with "git stash apply ${sha}".` });
  if (home === null) return kept(`${workspace.repository} is gone`);
  return room.mutex.run(home.commonDir, async () => {
    const result = await putBackStash(room, home, sha);
    return result === "nothing" || result === "restored" ? result : kept(result.obstacle);
  });
}

/** A loop in place may have stashed at a later start than its first. */
async function findKept(room: Room, home: Tree, workspace: GitWorkspace): Promise<string | undefined> {
  const key = (await findKey(room, workspace)) ?? (await findDiscarded(room, home, workspace))?.key;
  return (key === undefined ? null : await readStash(room, home, key)) ?? workspace.stashSha;
}

/** The same for whoever has the repository's mutex already. */
export async function putBackStash(
  room: Room,
  home: Tree,
  sha: string,
): Promise<"nothing" | "restored" | { obstacle: string }> {
  // The ref goes when they are given back, so its absence says that they were.
  const own = await findRefs(room, home, sha);
  if (own.length === 0) return "nothing";
  const obstacle = await findObstacle(room, home, sha);
  if (obstacle !== null) return { obstacle: `The stashed changes were not put back: ${obstacle}` };
  const failure = await apply(room, home, sha);
  if (failure !== null) return { obstacle: `The stashed changes could not be put back: ${failure}` };
  await drop(room, home, sha);
  const changes = own.map((ref) => ({ ref, to: null }));
  await updateRefs(room.git, home.top, changes, "a stash was given back");
  return "restored";
}

async function findRefs({ git }: Room, home: Tree, sha: string): Promise<string[]> {
  const args = ["for-each-ref", "--format=%(refname)", `--points-at=${sha}`, refs.stashes];
  return (await git.output(args, { cwd: home.top })).split("\n").filter((ref) => ref !== "");
}

/** What would go wrong, in words; null: nothing. A stash is a commit on its base, its index and its untracked files. */
async function findObstacle(room: Room, home: Tree, sha: string): Promise<string | null> {
  const { git } = room;
  const head = (await readHead(git, home)).sha;
  if (head === null) return "the checkout is on a branch without commits";
  const { parents, tree } = await readCommit(git, home, sha);
  const [base = "", , untracked] = parents;

  const blocked = await inTheWay(git, home.top, base, sha);
  if (untracked !== undefined) blocked.push(...(await present(room, home, untracked)));
  if (blocked.length > 0) return `${listed(blocked)} changed since, or is there again`;
  if (head === base) return null;

  // A merge of the stash itself would take its index and untracked files for history.
  const config = await room.identity.find(home.commonDir);
  const args = ["commit-tree", tree, "-p", base, "-m", "stashed changes"];
  const theirs = (await git.output(args, { cwd: home.top, config })).trim();
  const merged = await mergeTrees(room, home, head, theirs);
  return merged.kind === "conflict" ? `${listed(merged.files)} would conflict` : null;
}

/** Files of a commit that are in the checkout. */
async function present({ git }: Room, home: Tree, commit: string): Promise<string[]> {
  const text = await git.output(["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit], { cwd: home.top });
  const files: string[] = [];
  for (const path of text.split("\0")) {
    if (path !== "" && (await lstat(join(home.top, path)).catch(() => null)) !== null) files.push(path);
  }
  return files;
}

/** With what was staged staged again, if that still fits. Returns git's words when it failed. */
async function apply({ git }: Room, home: Tree, sha: string): Promise<string | null> {
  const whole = await git.run(["stash", "apply", "--quiet", "--index", sha], { cwd: home.top });
  if (whole.code === 0) return null;
  const files = await git.run(["stash", "apply", "--quiet", sha], { cwd: home.top });
  return files.code === 0 ? null : shorten(files.stderr || files.stdout);
}

/** Take it off the list, found by its commit. Another one dropped because the list just moved is put back. */
async function drop({ git }: Room, home: Tree, sha: string): Promise<void> {
  const list = async () => {
    const text = await git.output(["stash", "list", "-z", "--format=%H"], { cwd: home.top });
    return text.split("\0").filter((entry) => entry !== "");
  };
  const before = await list();
  const place = before.indexOf(sha);
  if (place < 0) return;
  await git.run(["stash", "drop", "--quiet", `stash@{${place}}`], { cwd: home.top });
  const after = await list();
  for (const lost of before.filter((entry) => entry !== sha && !after.includes(entry))) {
    await git.run(["stash", "store", "-m", "kept by ralpher", lost], { cwd: home.top });
  }
}

function listed(files: string[]): string {
  const shown = files.slice(0, 5).join(", ");
  return files.length > 5 ? `${shown} and ${files.length - 5} more` : shown;
}
