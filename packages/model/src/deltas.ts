const mostDeltas = 64;

/** Cut a text into word-sized deltas, at most 64 of them; joined they are the text again. */
export function splitWords(text: string): string[] {
  const words = text.match(/\s*\S+\s*/g) ?? (text === "" ? [] : [text]);
  if (words.length <= mostDeltas) return words;
  const size = Math.ceil(words.length / mostDeltas);
  const deltas: string[] = [];
  for (let i = 0; i < words.length; i += size) deltas.push(words.slice(i, i + size).join(""));
  return deltas;
}

/** Cut a text into at most 16 pieces of at least 24 characters, the way tool arguments arrive. */
export function splitEvenly(text: string): string[] {
  const size = Math.max(24, Math.ceil(text.length / 16));
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = pairSafe(text, Math.min(start + size, text.length));
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

/** The first half of the deltas; half of the only one. */
export function firstHalf(deltas: string[]): string[] {
  if (deltas.length > 1) return deltas.slice(0, Math.floor(deltas.length / 2));
  return deltas.map((only) => only.slice(0, pairSafe(only, Math.ceil(only.length / 2))));
}

/** An index that does not part the two halves of a surrogate pair: a lone half is not valid UTF-8. */
function pairSafe(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? index + 1 : index;
}
