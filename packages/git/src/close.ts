import type { GitWorkspace } from "@ralpher/contract";
import { findHome, findTop } from "./home.ts";
import { keepUnsaved } from "./keep-unsaved.ts";
import { removeFolder } from "./remove-folder.ts";
import { removeWorktree } from "./remove-worktree.ts";
import type { Room } from "./room.ts";
import { refs } from "./trash.ts";
import { findBranchOfTree } from "./work-branch.ts";

/**
 * Remove the worktree and keep its branches. Changes that were never saved go to a trash ref; when the loop of a key is
 * discarded, they are what `restore` brings back with the branch that the tree is on.
 */
export async function close(room: Room, workspace: GitWorkspace, discarded: string | null = null): Promise<void> {
  if (workspace.kind === "checkout") return;
  const top = await findTop(room, workspace);
  // A worktree of another root, for example of a data folder that was moved: not ours to touch.
  if (top === null) return;
  const home = await findHome(workspace);
  // Without its repository the folder is no worktree of anything.
  if (home === null) return removeFolder(top);
  const branch = await findBranchOfTree(room, home, workspace);
  await keepUnsaved(room, home, workspace, branch, discarded === null ? null : refs.discardedOf(discarded, branch));
  await room.mutex.run(home.commonDir, () => removeWorktree(room.git, home, top, branch));
  // The housekeeping that saves leave out, as the user has set it. It goes to the background by itself and may fail.
  await room.git.run(["maintenance", "run", "--auto", "--quiet"], { cwd: home.top });
}
