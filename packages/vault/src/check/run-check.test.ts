import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { createRunProgram } from "@ralpher/agent";
import { openStage, type Stage } from "../stage.fixture.ts";
import { createVaults } from "../vaults.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

const limits = { timeoutMs: 60_000, signal: new AbortController().signal };
const check = async (command: string) => {
  const made = await stage.vault.runCheck(command, limits);
  if (made === null) throw new Error("it was ended");
  return made;
};
const script = async (path: string, text: string) => {
  await stage.write(path, `#!/bin/sh\n${text}\n`);
  await chmod(join(stage.vault.root, path), 0o755);
};

test("a check passes when its command ends with 0, in the vault's root, and says how it ended", async () => {
  await script("/check.sh", 'pwd; echo "$1" >&2; exit "$2"');
  const output = `${stage.vault.root}\na b\n`;
  const command = './check.sh "a b" 0';
  expect(await check(command)).toEqual({ command, passed: true, outcome: "it ended with 0", output });
  expect(await check("./check.sh 'a b' 3")).toMatchObject({ passed: false, outcome: "it ended with 3", output });
  await script("/check.sh", "kill -9 $$");
  expect(await check("./check.sh")).toMatchObject({ passed: false, outcome: "SIGKILL ended it" });
});

test.each([
  ["a && b", '"&&"'],
  ["a || b", '"||"'],
  ["a | b", '"|"'],
  ["a; b", '";"'],
  ["a > b", '">"'],
  ["a < b", '"<"'],
  ["a &", '"&"'],
  ["a $(b)", '"$("'],
  ["a $HOME", '"$H"'],
  ['a "$(b)"', '"$("'],
  ["a `b`", '"`"'],
  ["a\nb", "a line break"],
])("%j, which needs a shell, has not passed, and the way out is said", async (command, sign) => {
  const { passed, outcome, output } = await check(command);
  expect([passed, output]).toEqual([false, ""]);
  expect(outcome).toBe(
    `${sign} needs a shell, and checks are run without one; put the command into a script, and name that`,
  );
});

test("signs within quotes and behind a backslash are only words", async () => {
  await script("/say.sh", "printf '[%s]' \"$@\"");
  expect((await check(`./say.sh 'a && $(b)' "c | d; 'e' \\"" f\\;g \\$h`)).output).toBe(
    `[a && $(b)][c | d; 'e' "][f;g][$h]`,
  );
});

test("a command that cannot be run has not passed, and what to do is said", async () => {
  const outcome = async (command: string) => {
    const made = await check(command);
    expect(made).toMatchObject({ command, passed: false, output: "" });
    return made.outcome;
  };
  expect(await outcome("no-such-program-of-ours x")).toBe(
    "no-such-program-of-ours was not found on PATH; install it, or correct the check",
  );
  expect(await outcome("scripts/none.sh")).toStartWith("scripts/none.sh was not found; paths in a check begin at");
  await stage.write("/plain.sh", "exit 0\n");
  expect(await outcome("./plain.sh")).toEndWith("make it executable: chmod +x ./plain.sh");
  expect(await outcome("CI=1 bun test")).toEndWith('put "env" before it');
  expect(await outcome("say 'hello")).toContain("a quote in it is never closed");
  expect(await outcome("a\0b")).toContain("a character that no command may have");
});

test("one that takes too long is ended, and has failed", async () => {
  await script("/slow.sh", "echo begun; exec sleep 600");
  const made = await stage.vault.runCheck("./slow.sh", { ...limits, timeoutMs: 1_000 });
  expect(made).toMatchObject({ passed: false, outcome: "it took longer than 1 s, and was ended", output: "begun\n" });
});

test("one that the signal ends is none, whether it has begun or not", async () => {
  await script("/slow.sh", "touch begun; exec sleep 600");
  const ending = new AbortController();
  const running = stage.vault.runCheck("./slow.sh", { ...limits, signal: ending.signal });
  while (!(await Bun.file(join(stage.vault.root, "begun")).exists())) await new Promise(setImmediate);
  ending.abort();
  expect(await running).toBeNull();
  expect(await stage.vault.runCheck("true", { ...limits, signal: AbortSignal.abort() })).toBeNull();
});

test("the end of the output is kept, in whole lines and characters, at most 8 KB", async () => {
  await stage.write(
    "/lines.ts",
    'for (let n = 1; n <= 5000; n++) console.log("\\u001b[31mline " + n + " ü\\u001b[0m");',
  );
  const { output } = await check(`${process.execPath} lines.ts`);
  expect(Buffer.byteLength(output)).toBeLessThanOrEqual(8 * 1024);
  expect(Buffer.byteLength(output)).toBeGreaterThan(8 * 1024 - 20);
  expect(output).toMatch(/^line \d+ ü\n/);
  expect(output).toEndWith("line 5000 ü\n");
  await stage.write("/one.ts", 'process.stdout.write("ü".repeat(9000));');
  expect((await check(`${process.execPath} one.ts`)).output).toBe("ü".repeat(4096));
});

test("no secret is in what is kept, not half of one either, and the server's token is not given to a check", async () => {
  const secret = "hush-0123456789-abcdef";
  const env = { SOME_API_KEY: secret };
  const vault = await createVaults({ runProgram: createRunProgram(env), version: "1.4.2" }).open(stage.vault.root);
  // The secret stands across the place where the end that is kept begins.
  await stage.write(
    "/leak.ts",
    `const end = "x".repeat(8 * 1024 - 10);
     process.stdout.write("a".repeat(99) + "${secret}" + end + (process.env.RALPHER_TOKEN ?? "none"));`,
  );
  process.env.RALPHER_TOKEN = "hush-token";
  try {
    const made = await vault.runCheck(`${process.execPath} leak.ts`, limits);
    expect(made?.passed).toBe(true);
    expect(made?.output).toEndWith("xxxnone");
    expect(made?.output).not.toMatch(/hush|\d|abcdef/);
  } finally {
    delete process.env.RALPHER_TOKEN;
  }
});
