import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { RunProgram, StepCheck } from "@ralpher/contract";
import { splitCommand } from "../notify/split-command.ts";
import { findShellSign } from "./shell-sign.ts";

/** For people and for the next prompt: errors stand at the end. */
const mostBytes = 8 * 1024;

const environment = {
  CI: "true",
  NO_COLOR: "1",
  FORCE_COLOR: undefined,
  CLICOLOR_FORCE: undefined,
  // What an agent wrote must not be able to accept its own work.
  RALPHER_TOKEN: undefined,
  // Set when Ralpher was started from a hook or from a test runner: checks with git or Node in them would go astray.
  GIT_DIR: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_WORK_TREE: undefined,
  NODE_TEST_CONTEXT: undefined,
};

export interface CheckLimits {
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * Run a step's check in the vault's root. One that cannot be run has not passed, and its outcome says what to do. Null when
 * the signal ended it. @throws Fault `directory_missing`
 */
export async function runCheck(
  root: string,
  runProgram: RunProgram,
  command: string,
  { timeoutMs, signal }: CheckLimits,
): Promise<StepCheck | null> {
  const failed = (outcome: string, output = ""): StepCheck => ({ command, passed: false, outcome, output });
  if (signal.aborted) return null;
  const words = wordsOf(command);
  if (typeof words === "string") return failed(words);
  const missing = await findMissing(words[0], root);
  if (missing !== null) return failed(missing);
  // More than is kept: a secret that is cut in two would not be known for one.
  const ended = await runProgram({ command: words, directory: root, env: environment, timeoutMs, signal });
  const output = endOf(stripVTControlCharacters(ended.output));
  if (ended.timedOut) return failed(`it took longer than ${told(timeoutMs)}, and was ended`, output);
  if (ended.exitCode === null) return null;
  if (ended.signal !== null) return failed(`${ended.signal} ended it`, output);
  return { command, passed: ended.exitCode === 0, outcome: `it ended with ${ended.exitCode}`, output };
}

/** Or why it cannot be run. */
function wordsOf(command: string): [string, ...string[]] | string {
  if (command.includes("\0")) return "it has a character that no command may have";
  const line = command.trim();
  const sign = findShellSign(line);
  if (sign !== null) {
    const shown = /[\r\n]/.test(sign) ? "a line break" : `"${sign}"`;
    return `${shown} needs a shell, and checks are run without one; put the command into a script, and name that`;
  }
  const words = splitCommand(line);
  if (words === null) return "it names no program, or a quote in it is never closed";
  if (/^\w+=/.test(words[0])) return `"${words[0]}" needs a shell, and checks are run without one; put "env" before it`;
  return words;
}

/** What is wrong with the program; null when it is there. */
async function findMissing(program: string, root: string): Promise<string | null> {
  if (!program.includes("/")) {
    return Bun.which(program) === null ? `${program} was not found on PATH; install it, or correct the check` : null;
  }
  const file = resolve(root, program);
  const can = (mode: number) =>
    access(file, mode).then(
      () => true,
      () => false,
    );
  if (!(await can(constants.F_OK))) return `${program} was not found; paths in a check begin at the vault's root`;
  return (await can(constants.X_OK)) ? null : `${program} may not be run; make it executable: chmod +x ${program}`;
}

function told(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 1_000)} s`;
}

/** Whole lines, where a line is not longer than all of it. */
function endOf(output: string): string {
  const bytes = Buffer.from(output);
  if (bytes.length <= mostBytes) return output;
  let from = bytes.length - mostBytes;
  // The second to fourth byte of a character.
  while (((bytes[from] ?? 0) & 0xc0) === 0x80) from++;
  const end = bytes.toString("utf8", from);
  const line = end.indexOf("\n") + 1;
  return line === end.length ? end : end.slice(line);
}
