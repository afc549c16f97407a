/** An item of a Markdown list. */
export interface Bullet {
  /** Its lines: from the first up to, without, `to`. */
  from: number;
  to: number;
  /** What it says, in one line, without its mark and the strokes through it. */
  text: string;
  /** The same without what does not matter when two are compared. */
  words: string;
  isStruck: boolean;
}

const mark = /^\s*[-*+]\s+(?=\S)/;

/** All items of all lists, those within others too; what stands in a block of code is none. */
export function findBullets(lines: readonly string[]): Bullet[] {
  const bullets: Bullet[] = [];
  let isCode = false;
  for (const [from, line] of lines.entries()) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    if (isCode || !mark.test(line)) continue;
    let to = from + 1;
    while (to < lines.length && isContinuation(lines[to] ?? "")) to++;
    bullets.push(bulletOf(lines, from, to));
  }
  return bullets;
}

function isContinuation(line: string): boolean {
  return /^\s+\S/.test(line) && !mark.test(line) && !/^\s*(```|~~~)/.test(line);
}

function bulletOf(lines: readonly string[], from: number, to: number): Bullet {
  const whole = lines
    .slice(from, to)
    .map((line) => line.trim())
    .join(" ")
    .replace(mark, "");
  const struck = /^~~((?:(?!~~).)+)~~$/.exec(whole)?.[1];
  const text = struck ?? whole;
  return { from, to, text, words: wordsOf(text), isStruck: struck !== undefined };
}

/** Without case, the width of blanks, punctuation at the end, and strokes, which a struck bullet cannot hold. */
export function wordsOf(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll("~~", "")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\s.!?…,;:]+$/, "");
}
