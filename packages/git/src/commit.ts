import { gitFault, isDiskFull, shorten } from "./git-fault.ts";
import type { Identity } from "./identity.ts";
import type { Git, GitResult } from "./run-git.ts";
import { type Staged, stageAll } from "./stage.ts";
import { clearStaleLocks, isLocked } from "./stale-lock.ts";
import type { Tree } from "./tree.ts";

export type Committed =
  /** `filesChanged` is null when git did not say, as for a merge. */
  { kind: "made"; filesChanged: number | null; warnings: string[] } | { kind: "nothing" };

export interface CommitRequest {
  message: string;
  branch: string;
  staged: Staged;
  /** Make the commit also when nothing is staged. */
  evenEmpty?: boolean;
}

/**
 * Commit what is staged: one process when nothing is odd. A hook or a signature that refuses is bypassed with a warning
 * that carries its words. @throws Fault `git_failed`, `disk_full`
 */
export async function commitStaged(
  git: Git,
  identity: Identity,
  tree: Tree,
  { message, branch, staged, evenEmpty = false }: CommitRequest,
): Promise<Committed> {
  const empty = evenEmpty ? ["--allow-empty"] : [];
  let author = identity.known(tree.commonDir);
  let config = staged.config;
  const commit = (flags: string[] = [], settings: string[] = []) =>
    git.run(
      // Without untracked files, an empty commit need not walk the tree again to say so.
      ["commit", "--untracked-files=no", "--cleanup=whitespace", "--file=-", ...empty, ...flags],
      { cwd: tree.top, stdin: message, config: [noHousekeeping, ...author, ...config, ...settings] },
    );

  let result = await commit();
  if (isFatal(result) && (await isLocked(tree, branch)) && (await clearStaleLocks(tree, branch))) {
    result = await commit();
  }
  if (isFatal(result) && author.length === 0) {
    author = await identity.find(tree.commonDir);
    if (author.length > 0) result = await commit();
  }
  if (result.code === 0) return { kind: "made", filesChanged: filesChanged(result), warnings: [] };
  if (isNothing(result)) return { kind: "nothing" };
  if (isDiskFull(result)) throw gitFault(["commit"], result, tree.top);

  // A hook that formats files and then refuses has changed them: take them as they are now.
  const again = await stageAll(git, tree, { branch });
  config = again.config;
  const refusal = result;
  result = await commit(["--no-verify", "--no-gpg-sign"], ["core.hooksPath=/dev/null"]);
  if (isNothing(result)) return { kind: "nothing" };
  if (result.code !== 0) throw gitFault(["commit"], result, tree.top);
  return { kind: "made", filesChanged: filesChanged(result), warnings: [tellRefusal(refusal)] };
}

/** Housekeeping after every commit would cost a process each time; closing a worktree does it once. */
const noHousekeeping = "maintenance.auto=false";

/** Exit code 1 is said by hooks and by "nothing to commit" alike; only the latter prints the status. */
function isNothing(result: GitResult): boolean {
  return result.code === 1 && result.stdout !== "";
}

/** Hooks that refuse end with 1; what is wrong with the repository or its settings, with 128. */
function isFatal(result: GitResult): boolean {
  return result.code === 128;
}

/** From git's own summary, which saves a process: ` 3 files changed, 5 insertions(+)`. */
function filesChanged(result: GitResult): number | null {
  const count = /^ (\d+) files? changed/m.exec(result.stdout)?.[1];
  return count === undefined ? null : Number(count);
}

function tellRefusal(result: GitResult): string {
  const why = result.timedOut ? "it took too long" : shorten(result.stderr) || `exit code ${result.code}`;
  return `A commit hook or the signing of commits refused; the commit was made without them. It said: ${why}`;
}
