import { mkdir } from "node:fs/promises";
import { Fault, type GitWorkspace } from "@ralpher/contract";
import { findBranchPlace } from "./branch-place.ts";
import { gitFault } from "./git-fault.ts";
import { inTheWay } from "./move-branch.ts";
import { readHead, requireBranch } from "./read-ref.ts";
import type { Room } from "./room.ts";
import { runInTree } from "./run-in-tree.ts";
import { snapshot } from "./snapshot.ts";
import { keepInTrash } from "./trash.ts";
import type { Tree } from "./tree.ts";
import { updateRefs } from "./update-refs.ts";

/** Nobody but the loop may have the branch checked out. @throws Fault `branch_checked_out` */
export async function requireFree({ git }: Room, home: Tree, tree: Tree, branch: string): Promise<void> {
  const directory = await findBranchPlace(git, home, branch);
  if (directory !== null && directory !== tree.top) throw new Fault("branch_checked_out", { branch, directory });
}

/**
 * Switch the loop's tree to one of its branches. At the same commit no file is touched. Uncommitted changes come along;
 * in a worktree, where they cannot, which is so when a switch was killed halfway, they go to a trash ref.
 * @throws Fault `branch_checked_out`, `target_not_clean`, `git_failed`
 */
export async function switchTree(
  room: Room,
  home: Tree,
  tree: Tree,
  workspace: GitWorkspace,
  branch: string,
): Promise<void> {
  const { git } = room;
  const head = await readHead(git, tree);
  if (head.branch === branch) return;
  await requireFree(room, home, tree, branch);
  const to = await requireBranch(git, home, branch);
  if (head.sha === to) {
    await git.output(["symbolic-ref", "-m", `ralpher: on ${branch}`, "HEAD", `refs/heads/${branch}`], {
      cwd: tree.top,
    });
    return;
  }
  const args = ["checkout", "--quiet", "--no-overwrite-ignore", branch, "--"];
  // A hook that fails comes after the switch; so what counts is where HEAD is.
  const isThere = async () => (await readHead(git, tree)).branch === branch;
  let result = await runInTree(git, tree, branch, args, isThere);
  if (!(await isThere()) && workspace.kind === "worktree") {
    await keepChanges(room, tree, head.branch ?? branch, head.sha);
    result = await runInTree(git, tree, branch, ["checkout", "--quiet", "--force", branch, "--"], isThere);
  }
  if (!(await isThere())) {
    const files = await inTheWay(git, tree.top, "HEAD", to);
    if (files.length > 0) throw new Fault("target_not_clean", { branch, files });
    throw gitFault(args, result, tree.top);
  }
  // A subfolder that holds nothing on this branch is gone; the agent's next session begins in it.
  await mkdir(workspace.directory, { recursive: true });
}

async function keepChanges(room: Room, tree: Tree, branch: string, head: string | null): Promise<void> {
  const sha = await snapshot(room, tree, `Uncommitted work on ${branch}`);
  if (sha === null || sha === head) return;
  const result = await updateRefs(room.git, tree.top, [keepInTrash(branch, sha)], "keep what was in the way");
  if (result.code !== 0) throw gitFault(["update-ref"], result, tree.top);
}
