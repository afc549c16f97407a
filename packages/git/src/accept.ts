import type { GitWorkspace, Merge } from "@ralpher/contract";
import { isAncestor } from "./attach.ts";
import { findBranchPlace } from "./branch-place.ts";
import { requireHome } from "./home.ts";
import { mergeTrees } from "./merge-trees.ts";
import { moveBranch, switchAndMove, untilItHoldsStill } from "./move-branch.ts";
import { moveWithItems } from "./move-with-items.ts";
import { requireBranch } from "./read-ref.ts";
import type { Room } from "./room.ts";
import type { Tree } from "./tree.ts";
import { isOnLoop } from "./work-branch.ts";

/** Names, in the message of a squashed commit, the commit of the loop's branch that it holds the changes of. */
const squashedFrom = "Squashed-from";

/**
 * Merge the loop's branch into the original one: first a commit that no branch holds, then the branch is moved to it,
 * with the files of the checkout it is in. A conflict is found before anything was changed. `squash`: the commit has one
 * parent; its last line says what it was made of, so that nobody makes it twice.
 */
export async function accept(
  room: Room,
  workspace: GitWorkspace,
  message: string,
  { squash = false }: { squash?: boolean | undefined } = {},
): Promise<Merge> {
  const home = await requireHome(workspace);
  return room.mutex.run(home.commonDir, () =>
    untilItHoldsStill(workspace.originalBranch, () => tryAccept(room, home, workspace, message, squash)),
  );
}

/** Null when the original branch moved meanwhile. */
async function tryAccept(
  room: Room,
  home: Tree,
  workspace: GitWorkspace,
  message: string,
  squash: boolean,
): Promise<Merge | null> {
  const { git } = room;
  const { originalBranch, workingBranch } = workspace;
  const theirs = await requireBranch(git, home, workingBranch);
  const ours = await requireBranch(git, home, originalBranch);
  const known = await findAccepted(room, home, workspace, theirs, ours);
  if (known !== null) {
    await leaveWorkingBranch(room, home, workspace);
    return { kind: "merged", sha: known };
  }
  const merged = await mergeTrees(room, home, ours, theirs);
  if (merged.kind === "conflict") return merged;

  const parents = squash ? [ours] : [ours, theirs];
  const args = ["commit-tree", merged.tree, ...parents.flatMap((parent) => ["-p", parent]), "-F", "-"];
  const stdin = squash ? `${message.trimEnd()}\n\n${squashedFrom}: ${theirs}\n` : message;
  const config = await room.identity.find(home.commonDir);
  const sha = (await git.output(args, { cwd: home.top, stdin, config })).trim();
  const moved = await move(room, home, workspace, { branch: originalBranch, from: ours, to: sha });
  return moved ? { kind: "merged", sha } : null;
}

/** The commit of the original branch that has the loop's work already; null when none has all of it. */
async function findAccepted(
  room: Room,
  home: Tree,
  workspace: GitWorkspace,
  theirs: string,
  ours: string,
): Promise<string | null> {
  const { git } = room;
  if (await isAncestor(git, home.top, theirs, ours)) return (await findMerge(room, home, theirs, ours)) ?? theirs;
  const grep = ["--fixed-strings", `--grep=${squashedFrom}: ${theirs}`];
  const args = ["rev-list", "--max-count=1", ...grep, ours, `^${workspace.baseSha}`, "--"];
  return (await git.output(args, { cwd: home.top })).trim() || null;
}

async function move(
  room: Room,
  home: Tree,
  workspace: GitWorkspace,
  change: { branch: string; from: string; to: string },
): Promise<boolean> {
  const { git } = room;
  const place = await findBranchPlace(git, home, change.branch);
  if (place !== null) return moveWithItems(room, home, place, change);
  // In place, the checkout is still on a branch of the loop: the user gets their own back with the merge.
  if (await isInPlace(room, home, workspace)) return switchAndMove(git, home, change);
  return moveBranch(git, home, change);
}

async function isInPlace(room: Room, home: Tree, workspace: GitWorkspace): Promise<boolean> {
  return workspace.kind === "checkout" && (await isOnLoop(room, home, workspace));
}

/** In place, and merged by other means: go back to the original branch if nothing stands in the way. */
async function leaveWorkingBranch(room: Room, home: Tree, workspace: GitWorkspace): Promise<void> {
  if (!(await isInPlace(room, home, workspace))) return;
  await room.git.run(["checkout", "--quiet", "--no-overwrite-ignore", workspace.originalBranch, "--"], {
    cwd: home.top,
  });
}

/** The merge that brought `theirs` into the line of `ours`; null when it came there without one. */
export async function findMerge({ git }: Room, home: Tree, theirs: string, ours: string): Promise<string | null> {
  const args = ["rev-list", "--first-parent", "--merges", "--parents", "--reverse", ours, `^${theirs}`];
  const merges = (await git.output(args, { cwd: home.top })).split("\n").map((line) => line.split(" "));
  return merges.find(([, , ...others]) => others.includes(theirs))?.[0] ?? null;
}
