import type { GitWorkspace } from "@ralpher/contract";
import { readHead } from "./read-ref.ts";
import { findTop, requireHome, requireTree } from "./require-tree.ts";
import type { Room } from "./room.ts";
import { isDirectory, type Tree } from "./tree.ts";

/** The tree that holds the loop's work now; null when its worktree is closed, or the checkout left the branch. */
export async function findOwnTree(room: Room, workspace: GitWorkspace): Promise<Tree | null> {
  if (workspace.kind === "checkout") {
    const home = await requireHome(workspace);
    return (await readHead(room.git, home)).branch === workspace.workingBranch ? home : null;
  }
  const top = await findTop(room, workspace);
  return top !== null && (await isDirectory(top)) ? requireTree(room, workspace) : null;
}
