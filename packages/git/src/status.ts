import { filtersOff } from "./filters-off.ts";
import type { Git } from "./run-git.ts";

/** More names than this help nobody, and an unignored package folder has a hundred thousand. */
const mostFiles = 10_000;
const maxBytes = 4 * 1024 * 1024;

const args = ["status", "--porcelain=v1", "-z", "--untracked-files=all", "--ignore-submodules=dirty", "--no-renames"];

/**
 * Paths, from the top of the tree, of files with uncommitted changes: staged, unstaged and untracked ones, not ignored
 * ones; at most 10,000. Changes inside a submodule do not count: committing or stashing here would not touch them.
 */
export async function changedFiles(git: Git, top: string): Promise<string[]> {
  const call = { cwd: top, maxBytes, endAtLimit: true };
  // Git runs a filter on a file as young as the index. One that is not installed must not make the folder unusable.
  const text = await git
    .output(args, call)
    .catch(async () => git.output(args, { ...call, config: await filtersOff(git, top) }));
  const entries = text.split("\0");
  // The last entry is empty, or cut in the middle.
  return entries.slice(0, Math.min(entries.length - 1, mostFiles)).map((entry) => entry.slice(3));
}
