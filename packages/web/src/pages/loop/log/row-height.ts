import type { LiveEntry } from "../../../feed/live.ts";
import type { LogEntry } from "../../../feed/log.ts";

const line = 28;
const textLine = 22;

/**
 * Guess a row's height in pixels before it was ever laid out; the better the guess, the steadier the scroll bar.
 * `columns` is how many characters go on one line of text.
 */
export function guessHeight(entry: LogEntry | LiveEntry, columns: number): number {
  if (entry.kind === "iteration") return 32;
  if (entry.kind !== "text" && entry.kind !== "live-text") return line;
  let lines = 0;
  for (const each of entry.text.split("\n")) lines += Math.max(0.5, Math.ceil(each.length / columns));
  return 22 + lines * textLine;
}
