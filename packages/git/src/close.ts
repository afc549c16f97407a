import type { GitWorkspace } from "@ralpher/contract";
import { keepUnsaved } from "./keep-unsaved.ts";
import { removeFolder } from "./remove-folder.ts";
import { removeWorktree } from "./remove-worktree.ts";
import { findHome, findTop } from "./require-tree.ts";
import type { Room } from "./room.ts";

/** Remove the worktree and keep the branch. Changes that were never saved go to a trash ref, and to `unsavedAs`. */
export async function close(room: Room, workspace: GitWorkspace, unsavedAs: string | null = null): Promise<void> {
  if (workspace.kind === "checkout") return;
  const top = await findTop(room, workspace);
  // A worktree of another root, for example of a data folder that was moved: not ours to touch.
  if (top === null) return;
  const home = await findHome(workspace);
  // Without its repository the folder is no worktree of anything.
  if (home === null) return removeFolder(top);
  await keepUnsaved(room, home, workspace, unsavedAs);
  await room.mutex.run(home.commonDir, () => removeWorktree(room.git, home, top, workspace.workingBranch));
  // The housekeeping that saves leave out, as the user has set it. It goes to the background by itself and may fail.
  await room.git.run(["maintenance", "run", "--auto", "--quiet"], { cwd: home.top });
}
