import { Fault, type GitWorkspace, type Merge } from "@ralpher/contract";
import { isAncestor } from "./attach.ts";
import { findBranchPlace } from "./branch-place.ts";
import { mergeTrees } from "./merge-trees.ts";
import { moveBranch, moveCheckedOut, switchAndMove } from "./move-branch.ts";
import { readBranch, readHead } from "./read-ref.ts";
import { requireHome } from "./require-tree.ts";
import type { Room } from "./room.ts";
import type { Tree } from "./tree.ts";

/** The original branch may get a commit while we merge; so often in a row it is something else. */
const mostTries = 5;

/**
 * Merge the loop's branch into the original one: first a commit that no branch holds, then the branch is moved to it,
 * with the files of the checkout it is in. A conflict is found before anything was changed.
 */
export async function accept(room: Room, workspace: GitWorkspace, message: string): Promise<Merge> {
  const home = await requireHome(workspace);
  return room.mutex.run(home.commonDir, async () => {
    for (let tries = 1; ; tries++) {
      const merge = await tryAccept(room, home, workspace, message);
      if (merge !== null) return merge;
      if (tries >= mostTries) {
        const detail = `${workspace.originalBranch} keeps moving; try again when nobody commits to it`;
        throw new Fault("git_failed", { command: "merge", detail });
      }
    }
  });
}

/** Null when the original branch moved meanwhile. */
async function tryAccept(room: Room, home: Tree, workspace: GitWorkspace, message: string): Promise<Merge | null> {
  const { git } = room;
  const { originalBranch, workingBranch } = workspace;
  const theirs = await requireBranch(room, home, workingBranch);
  const ours = await requireBranch(room, home, originalBranch);
  if (await isAncestor(git, home.top, theirs, ours)) {
    await leaveWorkingBranch(room, home, workspace);
    return { kind: "merged", sha: await findMerge(room, home, theirs, ours) };
  }
  const merged = await mergeTrees(room, home, ours, theirs);
  if (merged.kind === "conflict") return merged;

  const args = ["commit-tree", merged.tree, "-p", ours, "-p", theirs, "-F", "-"];
  const config = await room.identity.find(home.commonDir);
  const sha = (await git.output(args, { cwd: home.top, stdin: message, config })).trim();
  const moved = await move(room, home, workspace, { branch: originalBranch, from: ours, to: sha });
  return moved ? { kind: "merged", sha } : null;
}

async function move(
  { git }: Room,
  home: Tree,
  workspace: GitWorkspace,
  change: { branch: string; from: string; to: string },
): Promise<boolean> {
  const place = await findBranchPlace(git, home, change.branch);
  if (place !== null) return moveCheckedOut(git, home, place, change);
  // In place, the checkout is still on the loop's branch: the user gets their own back with the merge.
  if (workspace.kind === "checkout" && (await readHead(git, home)).branch === workspace.workingBranch) {
    return switchAndMove(git, home, change);
  }
  return moveBranch(git, home, change);
}

/** In place, and merged by other means: go back to the original branch if nothing stands in the way. */
async function leaveWorkingBranch({ git }: Room, home: Tree, workspace: GitWorkspace): Promise<void> {
  if (workspace.kind !== "checkout" || (await readHead(git, home)).branch !== workspace.workingBranch) return;
  await git.run(["checkout", "--quiet", "--no-overwrite-ignore", workspace.originalBranch, "--"], { cwd: home.top });
}

/** The merge that brought `theirs` into the line of `ours`; when it was fast-forwarded by hand, `theirs` itself. */
async function findMerge({ git }: Room, home: Tree, theirs: string, ours: string): Promise<string> {
  const args = ["rev-list", "--first-parent", "--merges", "--parents", "--reverse", ours, `^${theirs}`];
  const merges = (await git.output(args, { cwd: home.top })).split("\n").map((line) => line.split(" "));
  return merges.find(([, , ...others]) => others.includes(theirs))?.[0] ?? theirs;
}

async function requireBranch({ git }: Room, home: Tree, branch: string): Promise<string> {
  const sha = await readBranch(git, home, branch);
  if (sha === null) throw new Fault("branch_missing", { branch });
  return sha;
}
