import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import { isFault, type TestRequest } from "@ralpher/contract";
import { faultOf, openStage, type Stage } from "../stage.fixture.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

/** A project whose tests are this script. */
async function project(script: string): Promise<Pick<TestRequest, "directory" | "command">> {
  const directory = await stage.folder({ check: `#!/bin/sh\n${script}\n` });
  await chmod(join(directory, "check"), 0o755);
  return { directory, command: "./check" };
}

const run = (request: Pick<TestRequest, "directory" | "command"> & Partial<TestRequest>) =>
  stage.projects.test({ timeoutMs: 60_000, signal: new AbortController().signal, ...request });

const bunTest = `${process.execPath} test`;

test("[X-1] a real run is told with its numbers and the names of what fails", async () => {
  const directory = await stage.folder({
    "calc.test.ts": `
      import { expect, test } from "bun:test";
      test("adds", () => expect(1 + 1).toBe(2));
      test("subtracts", () => expect(3 - 1).toBe(1));`,
  });
  let heard = "";
  const result = await run({ directory, command: bunTest, onOutput: (text) => (heard += text) });
  expect(result).toMatchObject({
    kind: "ran",
    command: bunTest,
    exitCode: 1,
    passed: 1,
    failed: 1,
    failing: ["calc.test.ts > subtracts"],
  });
  expect(result.kind === "ran" && result.tail).toContain("Expected: 1");
  expect(heard).toContain("(fail) subtracts");
});

test("[X-1] no tests at all: nothing says how, or a runner finds none", async () => {
  expect(await run({ directory: await stage.folder({ "a.md": "" }) })).toEqual({ kind: "none" });
  const found = await run({ directory: await stage.folder({ "a.ts": "" }), command: bunTest });
  expect(found).toMatchObject({ exitCode: 0, passed: 0, failed: 0, failing: [] });
});

test("[X-1] what the manifest says is run", async () => {
  const result = await run({ directory: await stage.folder({ Makefile: "test:\n\t@echo made; exit 3\n" }) });
  expect(result).toMatchObject({ command: "make test", passed: null, failed: null, failing: null });
  expect(result.kind === "ran" && [result.exitCode !== 0, result.tail.includes("made")]).toEqual([true, true]);
});

test("the tests' environment is a quiet one, without Ralpher's token", async () => {
  process.env.RALPHER_TOKEN = "hush";
  process.env.FORCE_COLOR = "1";
  const result = await run(await project('echo "$CI,$NO_COLOR,$FORCE_COLOR,$RALPHER_TOKEN,$GIT_DIR"; pwd'));
  delete process.env.RALPHER_TOKEN;
  delete process.env.FORCE_COLOR;
  expect(result.kind === "ran" && result.tail.split("\n")[0]).toBe("true,1,,,");
});

test("[X-1] tests that take too long are ended, with what they said so far", async () => {
  const result = await run({ ...(await project("echo begun; sleep 1000 & wait")), timeoutMs: 300 });
  expect(result).toMatchObject({ exitCode: null, passed: null, failing: null, tail: "begun\n" });
});

test("an abort ends them", async () => {
  const controller = new AbortController();
  const running = run({
    ...(await project("echo begun; sleep 1000 & wait")),
    signal: controller.signal,
    onOutput: () => controller.abort(),
  });
  expect(await running).toMatchObject({ exitCode: null });
});

test("of much output the last lines are kept, and failures at its beginning are named all the same", async () => {
  const request = await project(
    `echo "a.test.ts:"; echo "(fail) early [1.00ms]"
     i=0; while [ $i -lt 3000 ]; do echo "noise $i ...................................................."; i=$((i+1)); done
     echo " 0 pass"; echo " 1 fail"; echo "Ran 1 test across 1 file. [1.00ms]"; exit 1`,
  );
  const result = await run(request);
  expect(result).toMatchObject({ failed: 1, failing: ["a.test.ts > early"] });
  const { tail } = result as { tail: string };
  expect(tail.length).toBeLessThanOrEqual(4096);
  expect(tail).toStartWith("noise ");
  expect(tail).toEndWith("[1.00ms]\n");
});

test("of many failures two hundred are named, and all are counted", async () => {
  const request = await project(
    `i=0; while [ $i -lt 300 ]; do echo "(fail) t$i"; i=$((i+1)); done
     echo " 0 pass"; echo " 300 fail"; echo "Ran 300 tests across 1 file. [1.00ms]"; exit 1`,
  );
  const result = await run(request);
  expect(result.kind === "ran" && [result.failed, result.failing?.length]).toEqual([300, 200]);
});

test("a command that no program can be made of is a fault that says why", async () => {
  const directory = await stage.folder({});
  const { detail } = await faultOf("test_command_unusable", run({ directory, command: "a && b" }));
  expect(detail).toContain("shell");
  await faultOf("test_command_unusable", run({ directory, command: " " }));
  for (const command of ["true", "./gone", "no-such-program"]) {
    const missing = await run({ directory: join(stage.root, "gone"), command }).catch((error) => error);
    expect(isFault(missing, "directory_missing")).toBe(true);
  }
});

test("[X-3] a program that is not there is a failure like any other: red before, and a regression for whoever removed it", async () => {
  const directory = await stage.folder({ plain: "text" });
  for (const command of ["no-such-program --all", "./gone", "./plain"]) {
    let heard = "";
    const result = await run({ directory, command, onOutput: (text) => (heard += text) });
    const unknown = { passed: null, failed: null, failing: null };
    expect(result).toMatchObject({ kind: "ran", command, exitCode: 127, ...unknown });
    expect(result.kind === "ran" && result.tail).toContain("was not found");
    expect(heard).toContain("was not found");
  }
  const good = await project("exit 0");
  const before = await run(good);
  await rm(join(good.directory, "check"));
  const after = await run(good);
  expect(stage.projects.compare(before, after).note).toContain("127");
  expect(stage.projects.compare(after, after)).toEqual({ tests: [], note: null });
});

test("what no shell is there for is told before anything is run", async () => {
  const { detail } = await faultOf("test_command_unusable", stage.projects.checkTestCommand("true; false"));
  expect(detail).toContain("shell");
  await stage.projects.checkTestCommand("no-such-program --all");
});

test("a program that the tests miss is a failure of theirs", async () => {
  const result = await run(await project("no-such-program"));
  expect(result).toMatchObject({ exitCode: 127, failing: null });
});
