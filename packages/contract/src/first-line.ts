/** The first line of a text that says something, cut with an ellipsis at `most` UTF-16 units; null when none does. */
export function firstLine(text: string, most: number): string | null {
  const line = /\S[^\n]*/.exec(text)?.[0].trimEnd();
  if (line === undefined) return null;
  return line.length <= most ? line : `${line.slice(0, most - 1).trimEnd()}…`;
}
