/** Text to look for, without regard to case. */
export interface Needle {
  /** In lower case. */
  plain: string;
  /** The same as it stands inside a JSON text. */
  inJson: string;
}

export function createNeedle(text: string): Needle {
  return { plain: text.toLowerCase(), inJson: JSON.stringify(text).slice(1, -1).toLowerCase() };
}

/** Where the needle first is: start and length in UTF-16 units of the text. Null when it is not there. */
export function findText(text: string, { plain }: Needle): { start: number; length: number } | null {
  const lower = text.toLowerCase();
  const at = lower.indexOf(plain);
  if (at < 0) return null;
  if (lower.length === text.length) return { start: at, length: plain.length };
  // Some capitals are shorter or longer than their small letters (İ): walk along both.
  const start = unitsOf(text, at);
  return { start, length: Math.max(1, unitsOf(text, at + plain.length) - start) };
}

/** How many units of the text make so many units of it in lower case. */
function unitsOf(text: string, lowerUnits: number): number {
  let [units, lower] = [0, 0];
  for (const character of text) {
    if (lower >= lowerUnits) break;
    units += character.length;
    lower += character.toLowerCase().length;
  }
  return units;
}

const before = 60;
const after = 140;

/** The text around a hit in one line, and where the hit is in it. */
export function excerptOf(text: string, { start, length }: { start: number; length: number }) {
  const from = wholeFrom(text, Math.max(0, start - before));
  const end = wholeFrom(text, Math.min(text.length, start + length + after));
  const head = from > 0 ? "…" : "";
  const tail = end < text.length ? "…" : "";
  return {
    excerpt: `${head}${text.slice(from, end).replace(/[\s\p{Cc}]/gu, " ")}${tail}`,
    start: start - from + head.length,
    length,
  };
}

/** Not in the middle of a character. */
function wholeFrom(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
