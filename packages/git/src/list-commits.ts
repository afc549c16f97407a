import type { SavedCommit } from "@ralpher/contract";
import { isoTime } from "./read-commit.ts";
import type { Git } from "./run-git.ts";
import type { Tree } from "./tree.ts";

export interface CommitList {
  /** Oldest first. */
  commits: SavedCommit[];
  /** Is a commit on the left side that is not on the right one? */
  leftBehind: boolean;
  /** Paths that became links to another repository. */
  gitlinks: string[];
}

/** An agent that merges a branch with a long history of its own would otherwise fill the journal. */
const most = 1_000;

const nothing: CommitList = { commits: [], leftBehind: false, gitlinks: [] };

/** What happened on the line of a branch between two commits, in one process. Merges count as one commit. */
export function listCommits(git: Git, tree: Tree, since: string, head: string): Promise<CommitList> {
  return since === head ? Promise.resolve(nothing) : log(git, tree, [`${since}...${head}`]);
}

/** How many files one commit changed, against its first parent. */
export async function countFiles(git: Git, tree: Tree, sha: string): Promise<number> {
  const { commits } = await log(git, tree, ["--max-count=1", sha]);
  return commits[0]?.filesChanged ?? 0;
}

async function log(git: Git, tree: Tree, range: string[]): Promise<CommitList> {
  const text = await git.output(
    [
      ...["log", "-z", "--first-parent", "-m", "--left-right", "--reverse", `--max-count=${most}`],
      ...["--raw", "--no-abbrev", "--no-show-signature", "--encoding=UTF-8", "--format=%x01%m%H%x00%ct%x00%B%x00"],
      ...[...range, "--"],
    ],
    { cwd: tree.top },
  );
  return parseLog(text);
}

/** Fields end with NUL; a commit's first begins with the byte 1, each of its file entries with a colon. */
function parseLog(text: string): CommitList {
  const list: CommitList = { commits: [], leftBehind: false, gitlinks: [] };
  const fields = text.split("\0");
  let counted: { filesChanged: number } = { filesChanged: 0 };
  for (let at = 0; at < fields.length; at++) {
    const field = (fields[at] ?? "").replace(/^\n/, "");
    if (field.startsWith("\u0001")) {
      const commit = {
        sha: field.slice(2),
        message: (fields[at + 2] ?? "").trim(),
        timestamp: isoTime(fields[at + 1]),
        filesChanged: 0,
      };
      counted = commit;
      if (field[1] === "<") list.leftBehind = true;
      else list.commits.push(commit);
      at += 2;
    } else if (field.startsWith(":")) {
      const [oldMode, newMode, , , status = ""] = field.split(" ");
      counted.filesChanged++;
      at += /^[RC]/.test(status) ? 2 : 1;
      if (newMode === "160000" && oldMode !== ":160000") list.gitlinks.push(fields[at] ?? "");
    }
  }
  return list;
}
