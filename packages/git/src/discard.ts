import { Fault, type GitWorkspace } from "@ralpher/contract";
import { isAncestor } from "./attach.ts";
import { findBranchPlace } from "./branch-place.ts";
import { close } from "./close.ts";
import { gitFault } from "./git-fault.ts";
import { findHome, findTop } from "./home.ts";
import { removeIgnored } from "./keep-ignored.ts";
import { findKey, findRecord, removeRecord } from "./loop-record.ts";
import { removePlan } from "./planned-update.ts";
import { readBranch, readHead, readRef } from "./read-ref.ts";
import type { Room } from "./room.ts";
import { saveOn } from "./save.ts";
import { keepInTrash, refs } from "./trash.ts";
import { isDirectory, type Tree } from "./tree.ts";
import { type RefChange, updateRefs } from "./update-refs.ts";
import { isOnLoop, listMarks } from "./work-branch.ts";

/**
 * Remove the loop's tree and branch. Everything that was in them is first put under trash refs, so each step can be
 * repeated: unsaved work, then the tree, then the branches, then what `open` wrote down. One more ref for each branch
 * says what `restore` brings back: the branch with the unsaved work on top. Branches that `branchOff` made and that are
 * still there go the same way; they are known by their marks, which stay for `restore`.
 */
export async function discard(room: Room, workspace: GitWorkspace): Promise<void> {
  const home = await findHome(workspace);
  const key = await findKey(room, workspace);
  // A branch of that name is somebody else's by now.
  if (home !== null && key !== null && (await isDone(room, home, workspace, key))) return;
  const work = home === null || key === null ? [] : (await listMarks(room, home, key)).map(({ branch }) => branch);
  const branches = [workspace.workingBranch, ...work];
  if (home !== null) {
    for (const branch of branches) await requireFree(room, home, workspace, branch);
    if (workspace.kind === "checkout") await leaveBranch(room, home, workspace);
  }
  await close(room, workspace, key);
  if (home !== null) await room.mutex.run(home.commonDir, () => removeBranches(room, home, branches, key));
  if (key === null) return;
  await removePlan(room, key);
  await removeIgnored(room, key);
  await removeRecord(room, key);
}

/** The user may have gone to the loop's branch to look at it. @throws Fault `branch_checked_out` */
async function requireFree(room: Room, home: Tree, workspace: GitWorkspace, branch: string): Promise<void> {
  const directory = await findBranchPlace(room.git, home, branch);
  // A worktree that git only remembers is in nobody's hands.
  if (directory === null || !(await isDirectory(directory)) || directory === (await findTop(room, workspace))) return;
  throw new Fault("branch_checked_out", { branch, directory });
}

/** In place: save what is there, then go back to the original branch. @throws Fault `branch_missing`, `git_failed` */
async function leaveBranch(room: Room, home: Tree, workspace: GitWorkspace): Promise<void> {
  const { git } = room;
  const head = await readHead(git, home);
  if (head.branch === null || head.sha === null || !(await isOnLoop(room, home, workspace))) return;
  const branch = workspace.originalBranch;
  if ((await readBranch(git, home, branch)) === null) throw new Fault("branch_missing", { branch });
  const message = `Unsaved work of ${head.branch}`;
  await saveOn(room, workspace, head.branch, { since: head.sha, message });
  await git.output(["checkout", "--quiet", "--no-overwrite-ignore", branch, "--"], { cwd: home.top });
}

/** Was all of it done before? The transaction that removes the base is the one that removes the branch. */
async function isDone(room: Room, home: Tree, workspace: GitWorkspace, key: string): Promise<boolean> {
  const { git } = room;
  if ((await findRecord(room, key)) !== null || (await readRef(git, home, refs.base(key))) !== null) return false;
  return (await readRef(git, home, refs.discardedOf(key, workspace.workingBranch))) !== null;
}

async function removeBranches({ git }: Room, home: Tree, branches: string[], key: string | null): Promise<void> {
  const changes: RefChange[] = [];
  for (const branch of branches) {
    const tip = await readBranch(git, home, branch);
    if (tip === null) continue;
    changes.push(keepInTrash(branch, tip), { ref: refs.branch(branch), to: null, old: tip });
    if (key === null) continue;
    const ref = refs.discardedOf(key, branch);
    const unsaved = await readRef(git, home, ref);
    // What was unsaved goes on top of the branch; when the tree was elsewhere, only the trash has it.
    if (unsaved === null || !(await isAncestor(git, home.top, tip, unsaved))) changes.push({ ref, to: tip });
  }
  const base = key === null ? null : await readRef(git, home, refs.base(key));
  if (key !== null && base !== null) changes.push({ ref: refs.base(key), to: null, old: base });
  if (changes.length === 0) return;
  const result = await updateRefs(git, home.commonDir, changes, "discard a loop");
  if (result.code !== 0) throw gitFault(["update-ref"], result, home.top);
}
