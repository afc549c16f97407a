import { filtersOff } from "./filters-off.ts";
import { gitFault, isDiskFull } from "./git-fault.ts";
import type { Git, GitResult } from "./run-git.ts";
import { clearStaleLocks, isLocked } from "./stale-lock.ts";
import type { Tree } from "./tree.ts";

/** A partial clone or Git LFS fetches files while they are written. */
const oneHourMs = 60 * 60_000;

/**
 * Run a command that writes the files of a loop's tree. What can be mended when it fails is: a lock that a killed git
 * left behind, a filter that is not installed. `isDone` tells whether it did its work.
 * @throws Fault `disk_full`
 */
export async function runInTree(
  git: Git,
  tree: Tree,
  branch: string,
  args: readonly string[],
  isDone: (result: GitResult) => boolean | Promise<boolean>,
): Promise<GitResult> {
  const call = { cwd: tree.top, timeoutMs: oneHourMs };
  let result = await git.run(args, call);
  if (await isDone(result)) return result;
  if ((await isLocked(tree, branch)) && (await clearStaleLocks(tree, branch))) result = await git.run(args, call);
  if (isDiskFull(result)) throw gitFault(args, result, tree.top);
  if (await isDone(result)) return result;
  const config = await filtersOff(git, tree.top);
  return config.length === 0 ? result : git.run(args, { ...call, config });
}
