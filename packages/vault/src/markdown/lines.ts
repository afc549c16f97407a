/** A line of a text: where it begins and ends in it, without its line end. */
export interface Line {
  /** From 1. */
  number: number;
  from: number;
  text: string;
}

/** Lines that end in LF, CRLF or CR, in any mixture. */
export function splitLines(text: string, from = 0): Line[] {
  const lines: Line[] = [];
  const end = /\r\n|\n|\r/g;
  end.lastIndex = from;
  let number = 1 + countLineEnds(text.slice(0, from));
  for (let at = from; ; number++) {
    const found = end.exec(text);
    lines.push({ number, from: at, text: text.slice(at, found?.index ?? text.length) });
    if (found === null) return lines;
    at = end.lastIndex;
  }
}

function countLineEnds(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

/** The line end that a text uses first. */
export function lineEndOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
}

/** How far the text of a line is indented, in columns (a tab leads to the next multiple of four), and where it begins. */
export function indentOf(text: string): { column: number; at: number } {
  let column = 0;
  let at = 0;
  for (; at < text.length; at++) {
    if (text[at] === " ") column++;
    else if (text[at] === "\t") column += 4 - (column % 4);
    else break;
  }
  return { column, at };
}
