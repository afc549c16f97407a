/** A line of a patch. Line numbers count from 1; a side that lacks the line has null. */
export interface DiffLine {
  kind: "same" | "add" | "del" | "note";
  old: number | null;
  new: number | null;
  text: string;
}

export interface Hunk {
  /** What stands behind the `@@`: the function it is in, as git guesses. */
  title: string;
  oldStart: number;
  newStart: number;
  lines: DiffLine[];
}

const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;

/**
 * Read the hunks of one file's patch, as git writes it; what stands before the first one is left out. Agents' own
 * patches, whose hunks have no line numbers, are read too.
 */
export function parsePatch(patch: string): Hunk[] {
  const hunks: Hunk[] = [];
  let hunk: Hunk | null = null;
  let [old, fresh] = [1, 1];
  for (const line of patch.split("\n")) {
    const match = header.exec(line);
    if (match !== null || line.startsWith("@@") || line.startsWith("*** ")) {
      [old, fresh] = match === null ? [1, 1] : [Number(match[1]), Number(match[2])];
      if (/^\*\*\* (Begin|End) /.test(line)) continue;
      const title = match === null ? line.replace(/^@@ ?/, "") : (match[3] ?? "");
      hunk = { title, oldStart: old, newStart: fresh, lines: [] };
      hunks.push(hunk);
      continue;
    }
    if (hunk === null) continue;
    const text = line.slice(1);
    if (line.startsWith("+")) hunk.lines.push({ kind: "add", old: null, new: fresh++, text });
    else if (line.startsWith("-")) hunk.lines.push({ kind: "del", old: old++, new: null, text });
    else if (line.startsWith(" ")) hunk.lines.push({ kind: "same", old: old++, new: fresh++, text });
    else if (line.startsWith("\\")) hunk.lines.push({ kind: "note", old: null, new: null, text: text.trim() });
  }
  return hunks.filter(({ lines }) => lines.length > 0);
}

/** Two sides of a line, for a split view: removed lines stand beside the added ones that took their place. */
export interface SplitLine {
  left: DiffLine | null;
  right: DiffLine | null;
}

/** Put a hunk's lines side by side. */
export function pairLines(lines: DiffLine[]): SplitLine[] {
  const pairs: SplitLine[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = () => {
    for (let i = 0; i < Math.max(removed.length, added.length); i += 1) {
      pairs.push({ left: removed[i] ?? null, right: added[i] ?? null });
    }
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === "del") {
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.kind === "add") added.push(line);
    else {
      flush();
      pairs.push({ left: line, right: line });
    }
  }
  flush();
  return pairs;
}

/** The stretch of a line that differs from the other side's: from `start` to `end`; null when most of it does. */
export function changedStretch(text: string, other: string): { start: number; end: number } | null {
  const most = Math.min(text.length, other.length);
  let start = 0;
  while (start < most && text[start] === other[start]) start += 1;
  let tail = 0;
  while (tail < most - start && text[text.length - 1 - tail] === other[other.length - 1 - tail]) tail += 1;
  const end = text.length - tail;
  // A mark over nearly everything says no more than the line's own colour.
  return start + tail === 0 || (end - start) * 2 > text.trim().length * 1.4 ? null : { start, end };
}
