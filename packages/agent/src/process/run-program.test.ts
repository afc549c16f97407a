import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFault, type ProgramRequest } from "@ralpher/contract";
import { createRunProgram, runProgram } from "./run-program.ts";

let directory: string;
beforeAll(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), "ralpher-program-")));
});
afterAll(() => rm(directory, { recursive: true }));

const request = (script: string, more: Partial<ProgramRequest> = {}): ProgramRequest => ({
  command: ["sh", "-c", script],
  directory,
  timeoutMs: 60_000,
  signal: new AbortController().signal,
  ...more,
});

async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  return stat !== null && !/\) [ZX] /.test(stat);
}

test("both outputs come back in the order they were written, with the exit code", async () => {
  const ran = await runProgram(request("echo one; echo two >&2; echo three; pwd; exit 3"));
  expect(ran).toMatchObject({ exitCode: 3, signal: null, timedOut: false });
  expect(ran.output).toBe(`one\ntwo\nthree\n${directory}\n`);
  expect(Number.isInteger(ran.durationMs)).toBe(true);
});

test("arguments are passed on untouched, and its input is empty", async () => {
  const command = ["sh", "-c", `cat; printf '%s|' "$@"`, "sh", "two words", "$HOME", "a'b\"c", ""] as const;
  expect((await runProgram(request("", { command }))).output).toBe("two words|$HOME|a'b\"c||");
});

test("the environment is this process's, with what is added and without what is taken out", async () => {
  process.env.RALPHER_TEST_OUT = "secret";
  const env = { RALPHER_TEST_IN: "in", RALPHER_TEST_OUT: undefined };
  const { output } = await runProgram(request('echo "$RALPHER_TEST_IN,$RALPHER_TEST_OUT,$PATH"', { env }));
  delete process.env.RALPHER_TEST_OUT;
  expect(output).toBe(`in,,${process.env.PATH}\n`);
});

test("of a long output the end is kept, and all of it is told in pieces", async () => {
  let told = "";
  const script = 'i=0; while [ $i -lt 2000 ]; do echo "line $i ä"; i=$((i+1)); done';
  const { output } = await runProgram(request(script, { keepBytes: 100, onOutput: (text) => (told += text) }));
  expect(told.split("\n")).toHaveLength(2001);
  expect(Buffer.byteLength(output)).toBeLessThanOrEqual(100);
  expect(told.endsWith(output)).toBe(true);
  expect(output).toEndWith("line 1999 ä\n");
});

test("a character that was cut in two is left out", async () => {
  expect((await runProgram(request("printf 'ääää'", { keepBytes: 3 }))).output).toBe("ä");
});

test("a program that is not there ends with code 127 and says so", async () => {
  const ran = await runProgram(request("", { command: ["no-such-program", "x"] }));
  expect(ran.exitCode).toBe(127);
  expect(ran.output).toContain("no-such-program");
});

test("a folder that is not there is a fault", async () => {
  const error = await runProgram(request("true", { directory: join(directory, "gone") })).catch((error) => error);
  expect(isFault(error, "directory_missing")).toBe(true);
});

test("[X-1] one that runs too long is ended with everything it started", async () => {
  const script = "setsid sleep 1000 & echo $!; env -i sleep 1000 & echo $!; echo half; wait";
  const ran = await runProgram(request(script, { timeoutMs: 300 }));
  expect(ran).toMatchObject({ exitCode: null, timedOut: true });
  const [first, second, half] = ran.output.trim().split("\n");
  expect(half).toBe("half");
  expect([await isAlive(Number(first)), await isAlive(Number(second))]).toEqual([false, false]);
});

test("an abort ends it with everything it started, also one that came before", async () => {
  const controller = new AbortController();
  const pids: number[] = [];
  const ran = await runProgram(
    request("sleep 1000 & echo $!; wait", {
      signal: controller.signal,
      onOutput(text) {
        pids.push(Number(text));
        controller.abort();
      },
    }),
  );
  expect(ran).toMatchObject({ exitCode: null, timedOut: false });
  expect(await isAlive(pids[0] ?? 0)).toBe(false);
  expect(await runProgram(request("sleep 1000", { signal: AbortSignal.abort() }))).toMatchObject({ exitCode: null });
});

test("what a program leaves behind ends with it, and is not waited for", async () => {
  const ran = await runProgram(request("setsid sleep 1000 & echo $!"));
  expect(ran.exitCode).toBe(0);
  expect(await isAlive(Number(ran.output))).toBe(false);
});

test("a signal that ended it is told", async () => {
  expect(await runProgram(request("kill -SEGV $$"))).toMatchObject({ exitCode: 139, signal: "SIGSEGV" });
});

test("what the listener throws ends the program and comes through", async () => {
  let pid = 0;
  const running = runProgram(
    request("echo $$; sleep 1000", {
      onOutput(text) {
        pid = Number(text);
        throw new Error("cannot hear");
      },
    }),
  );
  expect(await running.catch((error: Error) => error.message)).toBe("cannot hear");
  expect(await isAlive(pid)).toBe(false);
});

test("secrets of the environment that a program prints are not passed on", async () => {
  const run = createRunProgram({ MY_API_KEY: "hunter2-hunter2" });
  expect(await run(request("echo key hunter2-hunter2"))).toMatchObject({ output: "key [redacted MY_API_KEY]\n" });
});
