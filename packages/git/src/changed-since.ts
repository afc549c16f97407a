import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CodeState } from "@ralpher/contract";
import type { Git } from "./run-git.ts";

export interface FilesSince {
  /** By path, at most 500. */
  first: CodeState["files_changed"];
  /** Of all, as are the sums. */
  count: number;
  added: number;
  removed: number;
}

const most = 500;

/** Git would read the tree's whole index to see which files it could take from there in place of its objects. */
const withoutIndex = { GIT_INDEX_FILE: join(tmpdir(), `ralpher-no-index-${randomUUID()}`) };

/**
 * The files in which two commits differ, in one process. A renamed file is two: one that is gone and one that is new; to
 * see that they are one, git would have to compare contents.
 */
export async function changedSince(git: Git, cwd: string, base: string, tip: string): Promise<FilesSince> {
  const flags = ["-r", "--numstat", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-relative"];
  const args = ["diff-tree", ...flags, "--ignore-submodules=dirty", "-O/dev/null", base, tip, "--"];
  const found: FilesSince = { first: [], count: 0, added: 0, removed: 0 };
  for (const entry of (await git.output(args, { cwd, env: withoutIndex })).split("\0")) {
    // `3<TAB>1<TAB>path`; both counts are a hyphen for a binary file.
    const [added, removed] = entry.split("\t", 2);
    if (added === undefined || removed === undefined) continue;
    const path = entry.slice(added.length + removed.length + 2);
    const file = { path, added: countOf(added), removed: countOf(removed) };
    found.count++;
    found.added += file.added ?? 0;
    found.removed += file.removed ?? 0;
    if (found.first.length < most) found.first.push(file);
  }
  return found;
}

const countOf = (text: string) => (text === "-" ? null : Number(text));
