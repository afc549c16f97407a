import type { BranchUpdate, GitWorkspace, UpdateMethod } from "@ralpher/contract";
import { isAncestor } from "./attach.ts";
import { findBranchPlace } from "./branch-place.ts";
import { gitFault } from "./git-fault.ts";
import { requireHome } from "./home.ts";
import { mergeTrees } from "./merge-trees.ts";
import { moveBranch, moveCheckedOut, resetCheckedOut, untilItHoldsStill } from "./move-branch.ts";
import { writePlan } from "./planned-update.ts";
import { requireBranch } from "./read-ref.ts";
import { replay } from "./replay.ts";
import type { Room } from "./room.ts";
import { keepInTrash } from "./trash.ts";
import type { Tree } from "./tree.ts";
import { updateRefs } from "./update-refs.ts";

type Made = { kind: "made"; head: string } | { kind: "conflict"; files: string[] };

/**
 * Bring the loop's branch up to date with the original one. What the branch will be is made first, as commits that no
 * branch holds; only when that worked out is the branch moved, with the files of the tree it is checked out in. Whatever
 * lies there uncommitted and would be touched is a reason to refuse.
 * @throws Fault `branch_missing`, `target_not_clean`, `git_failed`
 */
export async function updateBranch(room: Room, workspace: GitWorkspace, method: UpdateMethod): Promise<BranchUpdate> {
  const home = await requireHome(workspace);
  return room.mutex.run(home.commonDir, () =>
    untilItHoldsStill(workspace.workingBranch, () => tryUpdate(room, home, workspace, method)),
  );
}

/** Null when the branch moved meanwhile. */
async function tryUpdate(
  room: Room,
  home: Tree,
  workspace: GitWorkspace,
  method: UpdateMethod,
): Promise<BranchUpdate | null> {
  const { git } = room;
  const { workingBranch, originalBranch } = workspace;
  const from = await requireBranch(git, home, workingBranch);
  const baseSha = await requireBranch(git, home, originalBranch);
  if (await isAncestor(git, home.top, baseSha, from)) return planned(room, workspace, { baseSha, head: from }, method);
  const message = `Merge ${originalBranch} into ${workingBranch}`;
  const made =
    method === "merge" ? await merge(room, home, from, baseSha, message) : await replay(room, home, from, baseSha);
  if (made.kind === "conflict") return made;

  const update = await planned(room, workspace, { baseSha, head: made.head }, method);
  const change = { branch: workingBranch, from, to: made.head };
  if (method === "rebase") await keepOld(room, home, workingBranch, from);
  const place = await findBranchPlace(git, home, workingBranch);
  const moveThere = method === "merge" ? moveCheckedOut : resetCheckedOut;
  const moved = await (place === null ? moveBranch(git, home, change) : moveThere(git, home, place, change));
  return moved ? update : null;
}

/** What is about to be, written down: whoever dies before it is recorded as done leaves that for others to find. */
async function planned(
  room: Room,
  workspace: GitWorkspace,
  facts: { baseSha: string; head: string },
  method: UpdateMethod,
): Promise<BranchUpdate> {
  const update = { kind: "updated", ...facts } as const;
  await writePlan(room, workspace, { ...update, method });
  return update;
}

async function merge(room: Room, home: Tree, ours: string, theirs: string, message: string): Promise<Made> {
  if (await isAncestor(room.git, home.top, ours, theirs)) return { kind: "made", head: theirs };
  const merged = await mergeTrees(room, home, ours, theirs);
  if (merged.kind === "conflict") return merged;
  const config = await room.identity.find(home.commonDir);
  const args = ["commit-tree", merged.tree, "-p", ours, "-p", theirs, "-F", "-"];
  const head = (await room.git.output(args, { cwd: home.top, stdin: message, config })).trim();
  return { kind: "made", head };
}

/** After a rebase no branch holds the commits as they were. */
async function keepOld({ git }: Room, home: Tree, branch: string, sha: string): Promise<void> {
  const result = await updateRefs(git, home.commonDir, [keepInTrash(branch, sha)], "keep a branch as it was");
  if (result.code !== 0) throw gitFault(["update-ref"], result, home.top);
}
