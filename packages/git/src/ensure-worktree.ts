import { readdir, realpath } from "node:fs/promises";
import { Fault } from "@ralpher/contract";
import { findBranchPlace } from "./branch-place.ts";
import { filtersOff } from "./filters-off.ts";
import { gitFault, isDiskFull } from "./git-fault.ts";
import { findRegistration, isHalfMade } from "./registration.ts";
import { removeWorktree } from "./remove-worktree.ts";
import { repairWorktree } from "./repair-worktree.ts";
import type { Git } from "./run-git.ts";
import { findTree, isLinked, type Tree } from "./tree.ts";

const mostTries = 5;
/** A partial clone or Git LFS fetches files while they are written. */
const oneHourMs = 60 * 60_000;

/**
 * The worktree at `top`, on the branch: found, repaired, or made. One that a killed git left half made is made anew;
 * one whose files are there is never emptied. Call it for one repository at a time.
 * @throws Fault `branch_checked_out`, `disk_full`, `git_failed`
 */
export async function ensureWorktree(git: Git, home: Tree, top: string, branch: string): Promise<void> {
  if (await isWhole(home, top)) return;
  const registration = await findRegistration(home.commonDir, top);
  const halfMade = registration !== null && (await isHalfMade(registration));
  const files = await readdir(top).catch(() => []);
  if (files.length > 0 && !halfMade) {
    await repairWorktree(git, home, top, branch);
    return;
  }
  await removeWorktree(git, home, top, branch);
  await add(git, home, top, branch);
}

async function add(git: Git, home: Tree, top: string, branch: string): Promise<void> {
  // As many writers as there are cores; older gits write with one.
  let config = ["checkout.workers=0"];
  const args = ["worktree", "add", top, branch];
  for (let tries = 1; ; tries++) {
    const result = await git.run(args, { cwd: home.top, config, timeoutMs: oneHourMs });
    // A post-checkout hook that fails comes after the tree is whole.
    if (await isWhole(home, top)) return;
    if (isDiskFull(result)) throw gitFault(args, result, top);
    const directory = await findBranchPlace(git, home, branch);
    if (directory !== null && directory !== top) throw new Fault("branch_checked_out", { branch, directory });
    await removeWorktree(git, home, top, branch);
    if (tries >= mostTries) throw gitFault(args, result, top);
    // Git locks single files, not the repository: two processes that add worktrees at once can refuse each other.
    await Bun.sleep(Math.random() * 100 * tries);
    config = ["checkout.workers=0", ...(await filtersOff(git, home.top))];
  }
}

async function isWhole(home: Tree, top: string): Promise<boolean> {
  const tree = await findTree(top);
  if (tree === null || !isLinked(tree) || (await isHalfMade(tree.gitDir))) return false;
  return (await realpath(tree.commonDir)) === home.commonDir;
}
