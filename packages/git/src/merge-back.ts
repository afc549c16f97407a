import type { GitWorkspace, Merge } from "@ralpher/contract";
import { findMerge } from "./accept.ts";
import { isAncestor } from "./attach.ts";
import { findBranchPlace } from "./branch-place.ts";
import { gitFault } from "./git-fault.ts";
import { requireHome } from "./home.ts";
import { moveIgnored, planIgnored } from "./keep-ignored.ts";
import { mergeTrees } from "./merge-trees.ts";
import { moveBranch, moveCheckedOut, untilItHoldsStill } from "./move-branch.ts";
import { readBranch, readHead, requireBranch } from "./read-ref.ts";
import { requireTree } from "./require-tree.ts";
import type { Room } from "./room.ts";
import { requireFree, switchTree } from "./switch-tree.ts";
import { refs } from "./trash.ts";
import type { Tree } from "./tree.ts";
import { updateRefs } from "./update-refs.ts";
import { leave, listMarks, requireKey } from "./work-branch.ts";

/**
 * Bring a work branch into the working branch. The merge is made first, as a commit that no branch holds; then the
 * working branch is moved to it, then the tree is switched, and last the work branch goes. Each of these steps is seen by
 * whoever comes after a process that died. Of a branch that is gone all of it was done.
 * @throws Fault `branch_missing`, `branch_checked_out`, `target_not_clean`, `git_failed`
 */
export async function mergeBack(room: Room, workspace: GitWorkspace, branch: string, message: string): Promise<Merge> {
  const tree = await requireTree(room, workspace);
  const home = await requireHome(workspace);
  const key = await requireKey(room, workspace);
  return room.mutex.run(home.commonDir, async () => {
    const { workingBranch } = workspace;
    await requireFree(room, home, tree, workingBranch);
    const merge = await untilItHoldsStill(workingBranch, () => tryMerge(room, home, workingBranch, branch, message));
    // The work's own rules for what is ignored stay behind with it, and what they kept out of commits must not get in.
    if (merge.kind === "conflict") await planLeft(room, home, tree, { key, workingBranch, branch });
    await switchTree(room, home, tree, workspace, workingBranch);
    await moveIgnored(room, tree, key);
    await finish(room, home, { key, workingBranch, branch });
    return merge;
  });
}

async function planLeft(
  room: Room,
  home: Tree,
  tree: Tree,
  { key, workingBranch, branch }: { key: string; workingBranch: string; branch: string },
): Promise<void> {
  const now = await readBranch(room.git, home, branch);
  if (now === null || (await readHead(room.git, tree)).branch !== branch) return;
  const since = await requireBranch(room.git, home, workingBranch);
  await planIgnored(room, tree, { key, name: branch.replaceAll("/", "-"), now, since });
}

/** Null when the working branch moved meanwhile. */
async function tryMerge(
  room: Room,
  home: Tree,
  workingBranch: string,
  branch: string,
  message: string,
): Promise<Merge | null> {
  const { git } = room;
  const ours = await requireBranch(git, home, workingBranch);
  const theirs = await readBranch(git, home, branch);
  if (theirs === null) return { kind: "merged", sha: ours };
  if (await isAncestor(git, home.top, theirs, ours)) {
    return { kind: "merged", sha: (await findMerge(room, home, theirs, ours)) ?? ours };
  }
  const merged = await mergeTrees(room, home, ours, theirs);
  if (merged.kind === "conflict") return merged;

  const config = await room.identity.find(home.commonDir);
  const args = ["commit-tree", merged.tree, "-p", ours, "-p", theirs, "-F", "-"];
  const sha = (await git.output(args, { cwd: home.top, stdin: message, config })).trim();
  const place = await findBranchPlace(git, home, workingBranch);
  const move = { branch: workingBranch, from: ours, to: sha };
  const moved = await (place === null ? moveBranch(git, home, move) : moveCheckedOut(git, home, place, move));
  return moved ? { kind: "merged", sha } : null;
}

/** Delete a branch that is merged and that nobody looks at; any other one stays, as one the loop is done with. */
async function finish(
  room: Room,
  home: Tree,
  { key, workingBranch, branch }: { key: string; workingBranch: string; branch: string },
): Promise<void> {
  const { git } = room;
  const marks = (await listMarks(room, home, key)).filter((mark) => mark.branch === branch);
  const tip = await readBranch(git, home, branch);
  const isMerged =
    tip === null || (await isAncestor(git, home.top, tip, await requireBranch(git, home, workingBranch)));
  const isFree = (await findBranchPlace(git, home, branch)) === null;
  const changes =
    isMerged && isFree
      ? [
          ...marks.map(({ ref }) => ({ ref, to: null })),
          ...(tip === null ? [] : [{ ref: refs.branch(branch), to: null, old: tip }]),
        ]
      : leave(key, marks);
  if (changes.length === 0) return;
  const result = await updateRefs(git, home.top, changes, "a work branch is done");
  if (result.code !== 0) throw gitFault(["update-ref"], result, home.top);
}
