import { filtersOff } from "./filters-off.ts";
import type { Git, GitResult } from "./run-git.ts";

export interface TreeStatus {
  /** Null when HEAD is detached. */
  branch: string | null;
  /** Null before the first commit. */
  head: string | null;
  /** Files with staged changes. */
  staged: number;
  /** Files with changes that are not staged, new and conflicting ones included; ignored ones are not. */
  unstaged: number;
}

/** A folder of packages that nobody ignored has a hundred thousand files; so much of the list is counted. */
const maxBytes = 32 * 1024 * 1024;

const args = [
  ...["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--ignore-submodules=dirty"],
  // Renames are looked for in the files' contents, and commits apart from the upstream are counted: neither is asked.
  ...["--no-renames", "--no-ahead-behind"],
];

/** Branch and counts in one process; the result of git when it failed. */
export async function readStatus(git: Git, cwd: string): Promise<TreeStatus | GitResult> {
  const call = { cwd, maxBytes, endAtLimit: true };
  let result = await git.run(args, call);
  if (isFailed(result)) {
    // Git runs a filter on a file as young as the index, and fails when that is not installed.
    const config = await filtersOff(git, cwd);
    if (config.length > 0) result = await git.run(args, { ...call, config });
  }
  return isFailed(result) ? result : parse(result.stdout);
}

function isFailed({ code, timedOut }: GitResult): boolean {
  return timedOut || (code !== 0 && code !== null);
}

/** Entries end with NUL; the last is empty, or cut in the middle. */
function parse(text: string): TreeStatus {
  const status: TreeStatus = { branch: null, head: null, staged: 0, unstaged: 0 };
  for (const entry of text.split("\0").slice(0, -1)) {
    // `# branch.head main`, `1 .M N... …`, `u UU N... …`, `? new.txt`
    const [kind, what = "", value = ""] = entry.split(" ", 3);
    if (kind === "#" && what === "branch.oid") status.head = value === "(initial)" ? null : value;
    else if (kind === "#" && what === "branch.head") status.branch = branchOf(entry);
    else if (kind === "?" || kind === "u") status.unstaged++;
    else if (kind === "1" || kind === "2") {
      if (what[0] !== ".") status.staged++;
      if (what[1] !== ".") status.unstaged++;
    }
  }
  return status;
}

function branchOf(entry: string): string | null {
  const name = entry.slice("# branch.head ".length);
  return name === "(detached)" ? null : name;
}
