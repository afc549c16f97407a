import { Fault, type GitWorkspace } from "@ralpher/contract";
import { requireHome, topOf } from "./home.ts";
import { repairWorktree } from "./repair-worktree.ts";
import type { Room } from "./room.ts";
import { findTree, isDirectory, isLinked, type Tree } from "./tree.ts";
import { findTreeBranch } from "./work-branch.ts";

/**
 * The loop's tree, tied to its repository again if the agent tore that. Reads three small files.
 * @throws Fault `directory_missing`, `not_a_repository`, `git_failed`
 */
export async function requireTree(room: Room, workspace: GitWorkspace): Promise<Tree> {
  const top = await topOf(room, workspace);
  const tree = await findTree(top);
  if (tree !== null && (workspace.kind === "checkout" || isLinked(tree))) return tree;
  if (!(await isDirectory(top))) throw new Fault("directory_missing", { directory: top });
  if (workspace.kind === "checkout") throw new Fault("not_a_repository", { directory: top });
  const home = await requireHome(workspace);
  const branch = await findTreeBranch(room, home, workspace);
  return room.mutex.run(home.commonDir, () => repairWorktree(room.git, home, top, branch));
}
