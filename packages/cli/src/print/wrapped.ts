import { printable } from "./printable.ts";

/** How wide the terminal is, in columns; what goes elsewhere is as for 80. Long lines are hard to read: at most 100. */
export function screenWidth(): number {
  return Math.min(100, Math.max(40, process.stdout.columns ?? 80));
}

export interface WrapOptions {
  /** What the first line begins with; the others are indented as far. */
  first?: string;
  paint?: (text: string) => string;
  /** In columns. */
  width?: number;
}

/** Text from elsewhere as lines no wider than the screen, between words where that can be. */
export function wrapped(text: string, options: WrapOptions = {}): string[] {
  const { first = "", paint = (line: string) => line, width = screenWidth() } = options;
  const indent = Bun.stringWidth(first);
  const lines = Bun.wrapAnsi(printable(text).trim(), Math.max(20, width - indent), { hard: true }).split("\n");
  return lines.map((line, at) => `${at === 0 ? first : " ".repeat(indent)}${paint(line.trimEnd())}`.trimEnd());
}

/** Pieces with dots between them, broken between pieces. */
export function listed(pieces: string[], options: Omit<WrapOptions, "paint"> = {}): string[] {
  const { first = "", width = screenWidth() } = options;
  const indent = Bun.stringWidth(first);
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    const longer = last === undefined ? piece : `${last} · ${piece}`;
    if (last === undefined || indent + Bun.stringWidth(longer) > width) lines.push(piece);
    else lines[lines.length - 1] = longer;
  }
  return lines.map((line, at) => `${at === 0 ? first : " ".repeat(indent)}${line}`);
}
