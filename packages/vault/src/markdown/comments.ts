/** An HTML comment within one line; `to` is null when the line does not close it. */
export interface Comment {
  from: number;
  to: number | null;
  text: string;
}

const opening = "<!--";
const closing = "-->";

/** Those of a line, but for what stands in `code`. */
export function findComments(line: string): Comment[] {
  if (!line.includes(opening)) return [];
  const words = withoutCode(line);
  const comments: Comment[] = [];
  for (let from = findOpening(words, 0); from >= 0; ) {
    const end = line.indexOf(closing, from + opening.length);
    const to = end < 0 ? null : end + closing.length;
    comments.push({ from, to, text: line.slice(from + opening.length, to === null ? undefined : end) });
    from = to === null ? -1 : findOpening(words, to);
  }
  return comments;
}

/** One with a backslash before it is only words. */
function findOpening(words: string, from: number): number {
  const found = /(?<!\\)<!--/g;
  found.lastIndex = from;
  return found.exec(words)?.index ?? -1;
}

export function withoutComments(line: string): string {
  let rest = "";
  let at = 0;
  for (const { from, to } of findComments(line)) {
    rest += line.slice(at, from);
    at = to ?? line.length;
  }
  return rest + line.slice(at);
}

/** As long as it was, with blanks where code was: from some ticks to the next that are as many. */
function withoutCode(line: string): string {
  const ticks = [...line.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ length, index }));
  // For each the next of its length, from the end, so that a long line is gone through once.
  const next: (number | undefined)[] = [];
  const ofLength = new Map<number, number>();
  for (const [back, { length }] of ticks.toReversed().entries()) {
    const at = ticks.length - 1 - back;
    next[at] = ofLength.get(length);
    ofLength.set(length, at);
  }
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < ticks.length; at++) {
    const end = next[at];
    const open = ticks[at];
    const close = end === undefined ? undefined : ticks[end];
    if (end === undefined || open === undefined || close === undefined) continue;
    const to = close.index + close.length;
    parts.push(line.slice(from, open.index), " ".repeat(to - open.index));
    from = to;
    at = end;
  }
  return parts.join("") + line.slice(from);
}
