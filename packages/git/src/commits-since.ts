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
/** A commit takes git a few microseconds, a further process as long as a thousand of them. */
const mostRead = 1_000;

/** The commits that `tip` has and `base` has not: one process, and one more when there are a thousand or more. */
export async function commitsSince(git: Git, cwd: string, base: string, tip: string): Promise<CommitsSince> {
  const range = [`${base}..${tip}`, "--"];
  const flags = ["-z", `--max-count=${mostRead}`, "--no-show-signature", "--no-decorate", "--encoding=UTF-8"];
  const text = await git.output(["log", ...flags, "--format=%H %ct %s", ...range], { cwd });
  const entries = text.split("\0").filter((entry) => entry !== "");
  const newest = entries.slice(0, most).map((entry) => {
    const [hash = "", seconds] = entry.split(" ", 2);
    const message = entry.slice(`${hash} ${seconds} `.length);
    return { hash, message, timestamp: isoTime(seconds) };
  });
  if (entries.length < mostRead) return { newest, count: entries.length };
  return { newest, count: Number(await git.output(["rev-list", "--count", ...range], { cwd })) };
}
