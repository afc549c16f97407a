import { stat } from "node:fs/promises";
import { join } from "node:path";
import { readHead } from "./read-ref.ts";
import type { Git, GitResult } from "./run-git.ts";
import { isLocked } from "./stale-lock.ts";
import type { Tree } from "./tree.ts";

const mostTries = 20;
const lookAgainMs = 50;
const mostLooks = 100;

interface LockedCall {
  stdin?: string;
  env?: Record<string, string>;
  config?: readonly string[];
}

/**
 * Run a git that changes the user's own checkout, again while others have that in their hands, five seconds at a time. A
 * lock that stays is left for the user to remove: beside others' gits nobody can tell for sure that it is nobody's, and
 * without its lock a git writes into another's index. What git says about it is in the result.
 */
export async function runUnlocked(
  git: Git,
  tree: Tree,
  branch: string,
  args: string[],
  call: LockedCall = {},
): Promise<GitResult> {
  for (let tried = 1; ; tried++) {
    const before = await stampOf(git, tree);
    const result = await git.run(args, { cwd: tree.top, ...call });
    if (result.code !== 128 || tried === mostTries) return result;
    // One that was quick has taken its lock away already, and left a new index.
    const isOthers = (await isLocked(tree, branch)) || (await stampOf(git, tree)) !== before;
    if (!isOthers || !(await outlast(tree, branch))) return result;
  }
}

/** Wait until the locks are gone; false when they stay. */
async function outlast(tree: Tree, branch: string): Promise<boolean> {
  for (let looked = 0; looked < mostLooks; looked++) {
    if (!(await isLocked(tree, branch))) return true;
    await Bun.sleep(lookAgainMs);
  }
  return false;
}

/** Changes when a git has changed what is staged or committed. */
async function stampOf(git: Git, tree: Tree): Promise<string> {
  const index = await stat(join(tree.gitDir, "index")).catch(() => null);
  return `${index?.ino} ${index?.mtimeMs} ${(await readHead(git, tree)).sha}`;
}
