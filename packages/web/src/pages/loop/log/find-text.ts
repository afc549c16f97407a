/** Where `wanted` stands in `text`, without regard to case; places do not overlap. Indexes into `text`. */
export function findAll(text: string, wanted: string): number[] {
  if (wanted === "") return [];
  const found: number[] = [];
  const low = lower(text);
  const target = lower(wanted);
  for (let at = low.indexOf(target); at >= 0; at = low.indexOf(target, at + target.length)) found.push(at);
  return found;
}

/** In lower case, with every letter in its place: what would change its length (`İ`) stays as it is. */
function lower(text: string): string {
  const plain = text.toLowerCase();
  if (plain.length === text.length) return plain;
  return Array.from(text, (letter) => {
    const small = letter.toLowerCase();
    return small.length === letter.length ? small : letter;
  }).join("");
}
