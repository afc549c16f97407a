import type { CodeState } from "@ralpher/contract";
import { isoTime } from "./read-commit.ts";
import type { Git } from "./run-git.ts";

export interface CommitsSince {
  /** Newest first, at most 200; of each message its first lines up to the first empty one. */
  newest: CodeState["commits"];
  /** Of all. */
  count: number;
}

const most = 200;

/** The commits that `tip` has and `base` has not: one process, and one more when there are more than are listed. */
export async function commitsSince(git: Git, cwd: string, base: string, tip: string): Promise<CommitsSince> {
  const range = [`${base}..${tip}`, "--"];
  const flags = ["-z", `--max-count=${most}`, "--no-show-signature", "--no-decorate", "--encoding=UTF-8"];
  const text = await git.output(["log", ...flags, "--format=%H %ct %s", ...range], { cwd });
  const newest = text
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => {
      const [hash = "", seconds] = entry.split(" ", 2);
      const message = entry.slice(`${hash} ${seconds} `.length);
      return { hash, message, timestamp: isoTime(seconds) };
    });
  if (newest.length < most) return { newest, count: newest.length };
  return { newest, count: Number(await git.output(["rev-list", "--count", ...range], { cwd })) };
}
