import { printable } from "../printable.ts";

/** As code, whatever is in it. */
export function fenced(text: string): string {
  const words = printable(text);
  const longest = Math.max(2, ...[...words.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${words.replace(/\s+$/, "")}\n${fence}`;
}

export function inOneLine(text: string): string {
  return printable(text).replace(/\s+/g, " ").trim();
}
