import { join } from "node:path";
import { gitFault } from "./git-fault.ts";
import { isAtLeast } from "./git-version.ts";
import { removeWorktree } from "./remove-worktree.ts";
import { mayResolve, resolveItems } from "./resolve-items.ts";
import type { Room } from "./room.ts";
import { withEmptyIndex } from "./scratch-index.ts";
import type { Tree } from "./tree.ts";

/** The outcome of a merge as a tree object, or the paths that conflict. Nothing but new objects was written. */
export type MergedTree = { kind: "clean"; tree: string } | { kind: "conflict"; files: string[] };

/**
 * Merge two commits without a checkout where git can do that (2.38), else in a tree that is made for it. A conflict in
 * the file of work items alone is resolved: humans and loops write it at the same time, and it is merged item by item.
 */
export async function mergeTrees(room: Room, home: Tree, ours: string, theirs: string): Promise<MergedTree> {
  return isAtLeast(await room.version(), "2.38")
    ? mergeInMemory(room, home, ours, theirs)
    : mergeInTree(room, home, ours, theirs);
}

async function mergeInMemory(room: Room, home: Tree, ours: string, theirs: string): Promise<MergedTree> {
  const { git } = room;
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, theirs];
  const result = await git.run(args, { cwd: home.top });
  const [tree = "", ...files] = result.stdout.split("\0").filter((field) => field !== "");
  if (result.code === 0) return { kind: "clean", tree };
  if (result.code !== 1) throw gitFault(args, result, home.top);
  const conflict: MergedTree = { kind: "conflict", files: [...new Set(files)] };
  if (!mayResolve(conflict.files)) return conflict;
  return withEmptyIndex(home, async (env) => {
    const where = { cwd: home.top, env };
    await git.output(["read-tree", tree], where);
    const resolved = await resolveItems(room, { ours, theirs }, where);
    return resolved === null ? conflict : { kind: "clean", tree: resolved };
  });
}

/** For git 2.30 to 2.37. */
export async function mergeInTree(room: Room, home: Tree, ours: string, theirs: string): Promise<MergedTree> {
  const { git } = room;
  // The same name for the same merge, so that a tree a killed process left is found and removed.
  const name = `.merge-${Bun.hash(`${home.commonDir} ${ours} ${theirs}`).toString(36)}`;
  const top = join(await room.root(), name);
  const config = ["core.hooksPath=/dev/null", ...(await room.identity.find(home.commonDir))];
  const remove = () => removeWorktree(git, home, top, null);
  await remove();
  try {
    await git.output(["worktree", "add", "--detach", top, ours], { cwd: home.top, config });
    const args = ["merge", "--no-commit", "--no-ff", "--no-squash", "--no-verify-signatures", theirs];
    const result = await git.run(args, { cwd: top, config });
    if (result.code === 0) return { kind: "clean", tree: (await git.output(["write-tree"], { cwd: top })).trim() };
    const unmerged = await git.output(["diff", "--name-only", "--diff-filter=U", "--no-relative", "-z"], { cwd: top });
    const files = unmerged.split("\0").filter((path) => path !== "");
    if (files.length === 0) throw gitFault(args, result, home.top);
    const resolved = mayResolve(files) ? await resolveItems(room, { ours, theirs }, { cwd: top }) : null;
    return resolved === null ? { kind: "conflict", files } : { kind: "clean", tree: resolved };
  } finally {
    await remove();
  }
}
