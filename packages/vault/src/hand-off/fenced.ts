/** As code, whatever is in it. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.replace(/\s+$/, "")}\n${fence}`;
}

export function inOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
