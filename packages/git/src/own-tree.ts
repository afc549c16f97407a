import type { GitWorkspace } from "@ralpher/contract";
import { findTop, requireHome } from "./home.ts";
import { readHead } from "./read-ref.ts";
import { requireTree } from "./require-tree.ts";
import type { Room } from "./room.ts";
import { isDirectory, type Tree } from "./tree.ts";
import { isWorkBranch } from "./work-branch.ts";

/**
 * The tree that holds the working branch's work now; null when its worktree is closed, the checkout left the branch, or
 * the tree is on a work branch, of which nothing is the working branch's before it is merged.
 */
export async function findOwnTree(room: Room, workspace: GitWorkspace): Promise<Tree | null> {
  if (workspace.kind === "checkout") {
    const home = await requireHome(workspace);
    return (await readHead(room.git, home)).branch === workspace.workingBranch ? home : null;
  }
  const top = await findTop(room, workspace);
  if (top === null || !(await isDirectory(top))) return null;
  const tree = await requireTree(room, workspace);
  const { branch } = await readHead(room.git, tree);
  return (await isWorkBranch(room, tree, workspace, branch)) ? null : tree;
}
