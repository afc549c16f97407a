import { Fault } from "@ralpher/contract";
import type { GitResult } from "./run-git.ts";

/** The fault a failed git process stands for. `path` is where it ran. */
export function gitFault(args: readonly string[], result: GitResult, path: string): Fault {
  if (isDiskFull(result)) return new Fault("disk_full", { path });
  return new Fault("git_failed", { command: describe(args), detail: detailOf(result) });
}

/** Git has no exit code for a full disk; its words (LC_ALL=C, from strerror) are the only sign. */
export function isDiskFull(result: GitResult): boolean {
  return /No space left on device|Disk quota exceeded/.test(result.stderr);
}

/** What git or a hook said, without blank lines, cut to its last 20 lines and 2,000 characters. */
export function shorten(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const kept = lines.slice(-20).join("\n").slice(-2_000);
  return kept.length < lines.join("\n").length ? `… ${kept}` : kept;
}

function detailOf(result: GitResult): string {
  if (result.timedOut) return "it took too long and was ended; was it waiting for a person, or for a hook?";
  const said = shorten(result.stderr) || shorten(result.stdout);
  return said || `it ended with exit code ${result.code}`;
}

function describe(args: readonly string[]): string {
  const line = args.join(" ");
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
