import type { GitWorkspace } from "@ralpher/contract";
import { gitFault } from "./git-fault.ts";
import { topOf } from "./home.ts";
import { readBranch } from "./read-ref.ts";
import { findRegistration, isHalfMade } from "./registration.ts";
import { requireTree } from "./require-tree.ts";
import type { Room } from "./room.ts";
import { snapshot } from "./snapshot.ts";
import { keepInTrash } from "./trash.ts";
import { isDirectory, type Tree } from "./tree.ts";
import { updateRefs } from "./update-refs.ts";

/**
 * Put what is in the loop's worktree, and not on the branch, under a trash ref, and under `alsoAs`. Nothing to do when it
 * is gone.
 */
export async function keepUnsaved(
  room: Room,
  home: Tree,
  workspace: GitWorkspace,
  branch: string,
  alsoAs: string | null,
): Promise<void> {
  const { git } = room;
  const top = await topOf(room, workspace);
  const registration = await findRegistration(home.commonDir, top);
  if (!(await isDirectory(top)) || (registration !== null && (await isHalfMade(registration)))) return;
  const tip = await readBranch(git, home, branch);
  // Without branch and record there is nothing the files could be a change of.
  if (tip === null && registration === null) return;
  const tree = await requireTree(room, workspace);
  const sha = await snapshot(room, tree, `Unsaved work of ${branch}`);
  if (sha === null || sha === tip) return;
  const changes = [keepInTrash(branch, sha), ...(alsoAs === null ? [] : [{ ref: alsoAs, to: sha }])];
  const result = await updateRefs(git, home.commonDir, changes, "keep unsaved work");
  if (result.code !== 0) throw gitFault(["update-ref"], result, home.commonDir);
}
