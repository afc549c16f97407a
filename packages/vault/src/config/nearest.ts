/** The word that is meant by a misspelled one, if any is near enough. */
export function nearest(word: string, words: string[]): string | null {
  const most = Math.max(2, Math.floor(word.length / 4));
  const [best] = words
    .map((known) => ({ known, edits: editsBetween(word.toLowerCase().replace(/[\s-]+/g, "_"), known) }))
    .toSorted((a, b) => a.edits - b.edits);
  return best !== undefined && best.edits <= most ? best.known : null;
}

/** How many letters must be put in, taken out or changed. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const change = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
