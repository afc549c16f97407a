/**
 * How well `text` answers to what was typed: higher is better, null is not at all. Every word typed must be in it: as
 * its beginning, as the beginning of a word, somewhere, or at least its letters in this order.
 */
export function fuzzyScore(typed: string, text: string): number | null {
  const hay = text.toLowerCase();
  let score = 0;
  for (const word of typed.toLowerCase().split(/\s+/).filter(Boolean)) {
    const found = scoreWord(word, hay);
    if (found === null) return null;
    score += found;
  }
  // Of two that match alike the shorter is meant more often.
  return score - Math.min(hay.length, 200) / 1_000;
}

function scoreWord(word: string, hay: string): number | null {
  const at = hay.indexOf(word);
  if (at === 0) return 4;
  if (at > 0) {
    for (let from = at; from >= 0; from = hay.indexOf(word, from + 1)) {
      if (/[^\p{L}\p{N}]/u.test(hay[from - 1] ?? "")) return 3;
    }
    return 2;
  }
  let from = 0;
  let gaps = 0;
  for (const letter of word) {
    const next = hay.indexOf(letter, from);
    if (next < 0) return null;
    if (from > 0) gaps += next - from;
    from = next + 1;
  }
  // Letters far apart are chance.
  return gaps > word.length * 4 ? null : 1 / (1 + gaps);
}

/** The things that answer to what was typed, the best first; in their own order when they answer alike. */
export function fuzzyFind<T>(typed: string, things: T[], textOf: (thing: T) => string): T[] {
  if (typed.trim() === "") return things;
  return things
    .flatMap((thing) => {
      const score = fuzzyScore(typed, textOf(thing));
      return score === null ? [] : [{ thing, score }];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ thing }) => thing);
}
