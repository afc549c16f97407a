import type { FileDiff } from "@ralpher/contract";
import { hunksOf } from "../diff/hunks.ts";
import { type DiffLine, type Hunk, pairLines, type SplitLine } from "../diff/patch.ts";

/** A row of the long list that all changes make. */
export type DiffRow = { key: string; file: FileDiff } & (
  | { kind: "file" }
  | { kind: "note"; text: string; offer: "unfold" | "load" | null }
  | { kind: "hunk"; hunk: Hunk }
  /** `partner`: the line that took its place, or whose place it took. */
  | { kind: "line"; hunk: Hunk; line: DiffLine; partner: DiffLine | null }
  | { kind: "pair"; hunk: Hunk; pair: SplitLine }
  | { kind: "end" }
);

/** What is to be seen of a file. */
export interface FileState {
  file: FileDiff;
  /** Only its name shows; the reason stands under it unless it is empty. */
  folded: boolean;
  reason: string | null;
  /** Its patch was asked for, and is on the way or did not come. */
  load: "loading" | "failed" | null;
}

const remembered = new WeakMap<FileDiff, { how: string; rows: DiffRow[] }>();

/** The rows of one file; the same array again for as long as nothing about it changed. */
export function rowsOf(state: FileState, split: boolean): DiffRow[] {
  const { file, folded, reason, load } = state;
  const how = [split, folded, reason, load].join();
  const known = remembered.get(file);
  if (known?.how === how) return known.rows;
  const rows = makeRows(state, split);
  remembered.set(file, { how, rows });
  return rows;
}

function makeRows({ file, folded, reason, load }: FileState, split: boolean): DiffRow[] {
  const { path } = file;
  const rows: DiffRow[] = [{ kind: "file", key: `${path}`, file }];
  const note = (text: string, offer: "unfold" | "load" | null = null) =>
    rows.push({ kind: "note", key: `${path}\nnote`, file, text, offer });
  if (folded) {
    if (reason !== null) note(reason, "unfold");
  } else if (file.binary) note("A binary file: there are no lines to compare.");
  else if (file.patch === undefined) {
    if (load === "loading") note("Loading…");
    else if (load === "failed") note("It did not load.", "load");
    else note("Not loaded yet, for its size.", "load");
  } else addHunks(rows, file, split);
  rows.push({ kind: "end", key: `${path}\nend`, file });
  return rows;
}

function addHunks(rows: DiffRow[], file: FileDiff, split: boolean): void {
  const hunks = hunksOf(file);
  const only =
    file.status === "renamed" ? "Renamed, with nothing in it changed." : "Nothing in it changed but its mode.";
  if (hunks.length === 0) {
    rows.push({
      kind: "note",
      key: `${file.path}\nnote`,
      file,
      text: file.additions + file.deletions === 0 ? only : "Empty.",
      offer: null,
    });
  }
  hunks.forEach((hunk, at) => {
    const key = `${file.path}\n${at}`;
    // A file that is new or gone is one piece: there is nothing to say about where it begins.
    if (hunks.length > 1 || hunk.oldStart + hunk.newStart > 2) rows.push({ kind: "hunk", key, file, hunk });
    const pairs = pairLines(hunk.lines);
    if (split) {
      for (const [index, pair] of pairs.entries()) {
        rows.push({ kind: "pair", key: `${key}/${index}`, file, hunk, pair });
      }
    } else {
      const partners = new Map<DiffLine, DiffLine>();
      for (const { left, right } of pairs) {
        if (left === null || right === null || left === right) continue;
        partners.set(left, right).set(right, left);
      }
      for (const [index, line] of hunk.lines.entries()) {
        rows.push({ kind: "line", key: `${key}/${index}`, file, hunk, line, partner: partners.get(line) ?? null });
      }
    }
  });
}
