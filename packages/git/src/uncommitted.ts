import { copyFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Fault, type OpenWorkspace } from "@ralpher/contract";
import { gitFault } from "./git-fault.ts";
import { readRef } from "./read-ref.ts";
import type { Place } from "./require-place.ts";
import type { Room } from "./room.ts";
import { stageAll } from "./stage.ts";
import { changedFiles } from "./status.ts";
import { refs } from "./trash.ts";
import type { Tree } from "./tree.ts";
import { updateRefs } from "./update-refs.ts";

/**
 * Do with the user's uncommitted changes what they chose; with no choice made, a tree that has some is refused.
 * Returns the commit that holds stashed ones, also if an earlier try that was cut short made it. `again`: a loop in place
 * begins once more, and the user had the checkout back meanwhile. Changes to files of ours (`own`) are left as they are.
 * @throws Fault `uncommitted_changes`, `git_failed` (a hook refused, for example: this is the user's own branch)
 */
export async function settleUncommitted(
  room: Room,
  { tree, prefix }: Place,
  request: OpenWorkspace,
  { again = false }: { again?: boolean } = {},
): Promise<string | null> {
  const stashed = await findStash(room, tree, request.key);
  if (request.handleUncommitted === "ignore" || (stashed !== null && !again)) return stashed;
  const own = new Set((request.own ?? []).map((path) => join(prefix, path)));
  const changed = await changedFiles(room.git, tree.top);
  const files = changed.filter((path) => !own.has(path));
  if (files.length === 0) return stashed;
  const except = changed.filter((path) => own.has(path));
  switch (request.handleUncommitted) {
    case null:
      throw new Fault("uncommitted_changes", { directory: tree.top, changedFiles: files });
    case "commit":
      await commitAll(room, tree, subject(request.commitPrefix), except);
      return stashed;
    case "stash":
      if (stashed !== null) {
        const detail = `the loop has set changes aside already, and gives them back when it is accepted or discarded (${stashed})`;
        throw new Fault("git_failed", { command: "stash push", detail });
      }
      return stash(room, tree, request.key, except);
  }
}

/** `[Ralph]` gives `[Pre-Ralph] Uncommitted changes` (seed 004, §5.2). */
function subject(commitPrefix: string): string {
  const word = commitPrefix.trim().replace(/^\[|\]$/g, "") || "Ralph";
  return `[Pre-${word}] Uncommitted changes`;
}

async function commitAll(room: Room, tree: Tree, message: string, except: string[]): Promise<void> {
  const index = join(tree.gitDir, "index");
  const before = join(tree.gitDir, "ralpher-index-before");
  await copyFile(index, before).catch(() => {});
  const staged = await stageAll(room.git, tree, { branch: "" });
  await unstage(room, tree, except);
  const identity = await room.identity.find(tree.commonDir);
  const args = ["commit", "--quiet", "--cleanup=whitespace", "--file=-"];
  const config = [...identity, ...staged.config];
  const result = await room.git.run(args, { cwd: tree.top, stdin: message, config });
  if (result.code !== 0) {
    // What the user had staged, and only that, is staged again.
    await rename(before, index).catch(() => {});
    throw gitFault(["commit"], result, tree.top);
  }
  await rm(before, { force: true });
}

const stashName = (key: string) => `ralpher: set aside for loop ${key}`;

/** Take files out of what is staged; in the tree they stay as they are. */
async function unstage({ git }: Room, tree: Tree, paths: string[]): Promise<void> {
  if (paths.length === 0) return;
  const only = paths.map((path) => `:(top,literal)${path}`);
  await git.output(["reset", "--quiet", "HEAD", "--", ...only], { cwd: tree.top });
}

async function stash(room: Room, tree: Tree, key: string, except: string[]): Promise<string> {
  const call = { cwd: tree.top };
  await unstage(room, tree, except);
  const but = except.map((path) => `:(top,exclude,literal)${path}`);
  const only = but.length === 0 ? [] : ["--", ":/", ...but];
  await room.git.output(["stash", "push", "--quiet", "--include-untracked", "-m", stashName(key), ...only], call);
  const sha = await findStash(room, tree, key);
  if (sha !== null) return sha;
  throw new Fault("git_failed", { command: "stash push", detail: "it saved nothing, though there are changes" });
}

/** The stash that is kept for a key, whoever made it; null when there is none, or it was given back. */
export function readStash(room: Room, tree: Tree, key: string): Promise<string | null> {
  return readRef(room.git, tree, refs.stash(key));
}

/** The stash of a key, kept under a ref of its own: the user's other stashes renumber the list, or clear it. */
async function findStash(room: Room, tree: Tree, key: string): Promise<string | null> {
  const kept = await readStash(room, tree, key);
  if (kept !== null) return kept;
  if ((await readRef(room.git, tree, "refs/stash")) === null) return null;
  const entries = await room.git.output(["stash", "list", "-z", "--format=%H %gs"], { cwd: tree.top });
  const entry = entries.split("\0").find((line) => line.endsWith(`: ${stashName(key)}`));
  const sha = entry?.split(" ")[0];
  if (sha === undefined) return null;
  const result = await updateRefs(room.git, tree.top, [{ ref: refs.stash(key), to: sha }], "keep a stash");
  if (result.code !== 0) throw gitFault(["update-ref"], result, tree.top);
  return sha;
}
