import type { GitWorkspace } from "@ralpher/contract";
import { findHome } from "./home.ts";
import { readBranch, readHead } from "./read-ref.ts";
import type { Room } from "./room.ts";
import { isDirectory } from "./tree.ts";

/**
 * The commit of the loop's branch, when the branch alone has the loop's work: its worktree is closed, or the checkout is
 * on another branch. Null when there is a tree to look into, and when the branch is gone, too.
 */
export async function tipWithoutTree({ git }: Room, workspace: GitWorkspace): Promise<string | null> {
  if (workspace.kind === "worktree" && (await isDirectory(workspace.directory))) return null;
  const home = await findHome(workspace);
  if (home === null) return null;
  if (workspace.kind === "checkout" && (await readHead(git, home)).branch === workspace.workingBranch) return null;
  return readBranch(git, home, workspace.workingBranch);
}
