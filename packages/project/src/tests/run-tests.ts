import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { Fault, type RunProgram, type TestRequest, type TestResult } from "@ralpher/contract";
import { findTestCommand, type Words } from "../test-command/find-test-command.ts";
import { splitCommand } from "../test-command/split-command.ts";
import { lookAround } from "../tree/look-around.ts";
import { readOutput } from "./read-output.ts";

/** A list of failures that is cut short would make old failures look new. */
const readBytes = 4 * 1024 * 1024;
const tailBytes = 4 * 1024;
const mostNames = 200;
const longestName = 300;

const environment = {
  CI: "true",
  NO_COLOR: "1",
  FORCE_COLOR: undefined,
  CLICOLOR_FORCE: undefined,
  // Code under test must not be able to accept its own work.
  RALPHER_TOKEN: undefined,
  // Set when Ralpher was started from a hook or from another runner: tests with git or Node in them would go astray.
  GIT_DIR: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_WORK_TREE: undefined,
  NODE_TEST_CONTEXT: undefined,
};

/** What shells say for a program that is not there. */
const notFound = 127;

/**
 * Run the tests of a folder, however they end. A runner that fails because there are no tests counts as one whose tests
 * all pass: nobody has broken anything. A program that is not there fails as it would in a shell: a task may have removed
 * it. @throws Fault `test_command_unusable`, `directory_missing`
 */
export async function runTests(runProgram: RunProgram, request: TestRequest): Promise<TestResult> {
  const { directory, timeoutMs, signal, onOutput } = request;
  const words = await commandOf(request);
  if (words === null) return { kind: "none" };
  const command = request.command ?? words.join(" ");
  const missing = await findMissing(words[0], directory);
  if (missing !== null) {
    onOutput?.(missing);
    const unknown = { passed: null, failed: null, failing: null };
    return { kind: "ran", command, exitCode: notFound, ...unknown, tail: missing, durationMs: 0 };
  }
  const { exitCode, output, durationMs } = await runProgram({
    command: words,
    directory,
    env: environment,
    timeoutMs,
    signal,
    onOutput,
    keepBytes: readBytes,
  });
  const told = readOutput(output, directory);
  const names = told?.failing.slice(0, mostNames).map((name) => name.slice(0, longestName)) ?? null;
  return {
    kind: "ran",
    command,
    exitCode: told?.hasNone && exitCode !== null ? 0 : exitCode,
    passed: told?.passed ?? null,
    failed: told?.failed ?? null,
    failing: told !== null && told.failed > 0 && names?.length === 0 ? null : names,
    tail: endOf(stripVTControlCharacters(output)),
    durationMs,
  };
}

async function commandOf({ command, directory }: TestRequest): Promise<Words | null> {
  if (command !== undefined) return splitCommand(command);
  return await findTestCommand(directory, await lookAround(directory));
}

/** A command that the tests can be run with at all. @throws Fault `test_command_unusable` */
export function checkTestCommand(command: string): void {
  splitCommand(command);
}

/** What is wrong with the program, in words; null when it is there. @throws Fault `directory_missing` */
async function findMissing(program: string, directory: string): Promise<string | null> {
  const found = await stat(directory).catch(() => null);
  if (found?.isDirectory() !== true) throw new Fault("directory_missing", { directory });
  if (!program.includes("/")) return Bun.which(program) === null ? `${program} was not found on PATH\n` : null;
  return await access(resolve(directory, program), constants.X_OK).then(
    () => null,
    () => `${program} was not found in ${directory}, or may not be run\n`,
  );
}

/** Whole lines, where a line is not longer than all of it. */
function endOf(output: string): string {
  const bytes = Buffer.from(output);
  if (bytes.length <= tailBytes) return output;
  const end = bytes.subarray(-tailBytes).toString("utf8");
  const line = end.indexOf("\n") + 1;
  return line === end.length ? end : end.slice(line);
}
