const mostNamed = 20;

/** What to tell an agent whose branch conflicts with the one it is to be merged into. */
export function mendWords(into: string, files: string[]): string {
  const named = files.slice(0, mostNamed).join(", ");
  const rest = files.length > mostNamed ? ` and ${files.length - mostNamed} more` : "";
  return `Your branch conflicts with ${into} in ${named}${rest}. Merge ${into} into your branch, resolve the conflicts so that what both sides meant still holds, and check it the way the goal says.`;
}
