import { join } from "node:path";
import { type Embedded, findEmbedded, storeAsFiles } from "./embedded.ts";
import { filtersOff } from "./filters-off.ts";
import { gitFault, isDiskFull, shorten } from "./git-fault.ts";
import type { Git, GitResult } from "./run-git.ts";
import { clearStaleLocks, isLocked } from "./stale-lock.ts";
import { exists, type Tree } from "./tree.ts";

export interface Staged {
  /** What a person should know. */
  warnings: string[];
  /** Settings the commit needs as well. */
  config: string[];
}

export interface StageOptions {
  branch: string;
  /** Another index than the tree's own. */
  env?: Record<string, string>;
  /** Links to other repositories that the agent's own commits brought. */
  gitlinks?: readonly string[];
}

/** Repositories inside repositories inside …: so deep and no deeper. */
const deepest = 5;

/**
 * Put everything into the index that can be put there: `git add -A`, one process when nothing is odd. What stands in
 * the way (a lock left behind, a filter that is not installed, a repository inside the tree, an unreadable file) is
 * worked around and told in a warning, for the rest of the work must not be lost with it.
 * @throws Fault `git_failed`, `disk_full`
 */
export async function stageAll(git: Git, tree: Tree, options: StageOptions): Promise<Staged> {
  const staged: Staged = { warnings: [], config: [] };
  const env = options.env ?? {};
  let pathspec: string[] = [];
  const add = (...flags: string[]) =>
    git.run(["add", "-A", "--ignore-errors", ...flags, ...pathspec], { cwd: tree.top, env, config: staged.config });

  let result = await add();
  const gitlinks = options.gitlinks ?? [];
  if (result.code === 0 && result.stderr === "" && gitlinks.length === 0) return staged;

  if (isFatal(result) && (await isLocked(tree, options.branch)) && (await clearStaleLocks(tree, options.branch))) {
    result = await add();
  }
  if (isDiskFull(result)) throw gitFault(["add", "-A"], result, tree.top);
  if (isFatal(result)) {
    const said = shorten(result.stderr);
    staged.config = await filtersOff(git, tree.top);
    if (staged.config.length > 0) result = await add();
    if (isFatal(result)) throw gitFault(["add", "-A"], result, tree.top);
    staged.warnings.push(`A filter could not run, so files were stored as they are: ${said}`);
  }
  if (result.code !== 0 && (await exists(join(tree.gitDir, "info/sparse-checkout")))) {
    // Before git 2.34 there is no such flag and no need for it.
    const sparse = await add("--sparse");
    if (!isFatal(sparse)) result = sparse;
  }
  const leftOut = new Set<string>();
  for (let depth = 0; depth < deepest; depth++) {
    const found = await findEmbedded(git, tree, depth === 0 ? gitlinks : [], env);
    found.leftOut = found.leftOut.filter((path) => !leftOut.has(path));
    if (found.openers.size === 0 && found.leftOut.length === 0) break;
    for (const path of found.leftOut) leftOut.add(path);
    await storeAsFiles(git, tree, found, env);
    staged.warnings.push(...tell(found));
    pathspec = ["--", ":/", ...[...leftOut].map((path) => `:(top,exclude,literal)${path}`)];
    result = await add();
  }
  if (result.code !== 0) staged.warnings.push(`Some files could not be stored: ${shorten(result.stderr)}`);
  else if (result.stderr !== "" && leftOut.size === 0) staged.warnings.push(`git add: ${shorten(result.stderr)}`);
  return staged;
}

/** With `--ignore-errors`, 1 means that some files were left out; anything else that nothing was done. */
function isFatal(result: GitResult): boolean {
  return result.code !== 0 && result.code !== 1;
}

function tell(found: Embedded): string[] {
  return [
    ...[...found.openers.keys()].map(
      (path) =>
        `${path} is a git repository of its own. Its files were committed as ordinary files; its own history stays in that folder only.`,
    ),
    ...found.leftOut.map((path) => `${path} is a repository or worktree of its own and was left out of the commit.`),
  ];
}
