import { configIssueWords, type FaultCode, type FaultData, isFault, type LoopStatus } from "@ralpher/contract";
import { printable } from "./print/words.ts";
import { sodaCommand } from "./program-names.ts";

/** How a loop ended, as an exit code. docs/cli.md and --help say the same. */
const ofStatus: Partial<Record<LoopStatus, number>> = {
  completed: 0,
  accepted: 0,
  discarded: 0,
  stopped: 10,
  failed: 11,
  max_iterations: 12,
  stuck: 13,
  paused: 14,
};

export const interrupted = 130;

export function exitCodeOf(status: LoopStatus): number {
  return ofStatus[status] ?? 1;
}

export const exitCodes = `Exit codes:
  0 completed (or done)                     10 it was stopped
  1 a bug in Ralpher                        11 it failed
  2 wrong input                             12 it used its iterations
  3 something needed is missing or broken   13 it is stuck
  4 no such thing                           14 it was paused
  5 not possible now                       130 interrupted with Ctrl+C`;

/** How the way out that a fault names is called on the command line. */
type Hints = Partial<Record<FaultCode, string>>;
const uncommitted: Hints = { uncommitted_changes: "--uncommitted commit|stash|ignore" };
const hints: Hints = { ...uncommitted, not_a_repository: "--no-git", disk_full: "ralpher loop resume" };
const sodaHints: Hints = {
  ...uncommitted,
  disk_full: `${sodaCommand} resume`,
  loop_not_found: `${sodaCommand} history shows those of this folder`,
};

/** A line for each wrong place. */
function configWords({ path, issues }: FaultData["config_invalid"]): string {
  return [`${path} cannot be used:`, ...issues.map((issue) => `  ${configIssueWords(issue)}`)].join("\n");
}

/** Say what went wrong, in one sentence when it was to be expected, and leave with its code. */
export function exitWith(error: unknown, program = "ralpher"): never {
  if (isFault(error)) {
    const hint = (program === "soda" ? sodaHints : hints)[error.code];
    const words = isFault(error, "config_invalid") ? configWords(error.data) : error.message;
    process.stderr.write(`${program}: ${printable(words)}${hint === undefined ? "" : ` (${hint})`}\n`);
    process.exit(error.exit);
  }
  process.stderr.write(`${program}: this is a bug in Ralpher:\n${Bun.inspect(error)}\n`);
  process.exit(1);
}
