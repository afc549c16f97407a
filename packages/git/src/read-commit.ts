import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { inflate } from "node:zlib";
import type { Git } from "./run-git.ts";
import type { Tree } from "./tree.ts";

export interface Commit {
  tree: string;
  parents: string[];
  /** When it was committed: ISO 8601, UTC. */
  timestamp: string;
  message: string;
}

const unzip = promisify(inflate);

/**
 * Read a commit. One just made lies in a file of its own, which saves a process; any other is asked for.
 * @throws Fault `git_failed` when there is no such commit
 */
export async function readCommit(git: Git, tree: Tree, sha: string): Promise<Commit> {
  const file = join(tree.commonDir, "objects", sha.slice(0, 2), sha.slice(2));
  const loose = await readFile(file)
    .then((packed) => unzip(packed))
    .catch(() => null);
  const text = loose?.toString("utf8");
  // A loose object is `commit <size>`, a NUL, and what `git cat-file` prints.
  if (text?.startsWith("commit ")) return parseCommit(text.slice(text.indexOf("\0") + 1));
  return parseCommit(await git.output(["cat-file", "commit", sha], { cwd: tree.top }));
}

function parseCommit(text: string): Commit {
  const blank = text.indexOf("\n\n");
  const header = blank < 0 ? text : text.slice(0, blank);
  const values = (name: string) =>
    header
      .split("\n")
      .filter((line) => line.startsWith(`${name} `))
      .map((line) => line.slice(name.length + 1));
  const seconds = /(\d+) [+-]\d+$/.exec(values("committer")[0] ?? "")?.[1];
  return {
    tree: values("tree")[0] ?? "",
    parents: values("parent"),
    timestamp: isoTime(seconds),
    message: blank < 0 ? "" : text.slice(blank + 2).trim(),
  };
}

/** ISO 8601 from git's seconds since 1970. */
export function isoTime(seconds: string | undefined): string {
  const time = new Date(Number(seconds ?? 0) * 1_000);
  return Number.isNaN(time.getTime()) ? new Date(0).toISOString() : time.toISOString();
}
