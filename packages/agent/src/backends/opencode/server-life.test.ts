import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOpencodeBackend } from "./backend.ts";
import { hear, isRunning, openStage, ownServers, requireOwnServer, until } from "./stage.fixture.ts";

setDefaultTimeout(60_000);

const conversations = [
  {
    when: "sleep",
    steps: [
      {
        tools: [
          {
            name: "bash",
            input: { command: "setsid sleep 1000 & echo $! > session.pid; sleep 1000", description: "Sleep" },
          },
        ],
      },
    ],
  },
  { steps: [{ text: "Hello." }] },
];

const readPid = async (directory: string) =>
  Number(await readFile(join(directory, "session.pid"), "utf8").catch(() => "0"));

test("[R-BACK-1] sessions that open at once share one server, which starts with the first and ends with the backend", async () => {
  const stage = await openStage({ conversations });
  expect(await ownServers()).toEqual([]);
  const heard = await Promise.all([stage.run("one"), stage.run("two"), stage.run("three")]);
  expect(heard.map(({ result }) => result.outcome)).toEqual(["done", "done", "done"]);
  expect(await ownServers()).toHaveLength(1);
  await stage[Symbol.asyncDispose]();
  expect(await ownServers()).toEqual([]);
});

test("[R-BACK-6] a server that dies fails the turns under way as crashed, its tree is gone, and the next turn has a new one", async () => {
  await using stage = await openStage({ conversations });
  const asked = await stage.request();
  await using session = stage.backend.open(asked);
  const turn = session.turn("sleep");
  await until(async () => (await readPid(asked.directory)) > 0);
  const server = await requireOwnServer();
  process.kill(server, "SIGKILL");
  expect(await turn.result).toMatchObject({ outcome: "failed", failure: { reason: "crashed" } });
  await until(async () => !(await isRunning(await readPid(asked.directory))));
  expect((await hear(session.turn("hello"))).result).toMatchObject({ outcome: "done", text: "Hello." });
  expect(await requireOwnServer()).not.toBe(server);
});

test("an abort works though the server hangs, and so does closing", async () => {
  const stage = await openStage({ conversations });
  const abort = new AbortController();
  const asked = await stage.request({ signal: abort.signal });
  const turn = stage.backend.open(asked).turn("sleep");
  await until(async () => (await readPid(asked.directory)) > 0);
  process.kill(await requireOwnServer(), "SIGSTOP");
  abort.abort();
  expect(await turn.result).toMatchObject({ outcome: "failed", failure: { reason: "aborted" } });
  expect(await isRunning(await readPid(asked.directory))).toBe(false);
  await stage[Symbol.asyncDispose]();
  expect(await ownServers()).toEqual([]);
});

test("closing a session ends what its tools left running there, and nothing of its neighbours'", async () => {
  await using stage = await openStage({
    conversations: [
      {
        steps: [
          {
            tools: [
              {
                name: "bash",
                input: { command: "setsid sleep 1000 >/dev/null 2>&1 & echo $! > session.pid", description: "x" },
              },
            ],
          },
          { text: "Left it." },
        ],
      },
    ],
  });
  const one = await stage.request();
  const two = await stage.request();
  const first = stage.backend.open(one);
  await using second = stage.backend.open(two);
  await Promise.all([hear(first.turn("go")), hear(second.turn("go"))]);
  await first[Symbol.asyncDispose]();
  expect(await isRunning(await readPid(one.directory))).toBe(false);
  expect(await isRunning(await readPid(two.directory))).toBe(true);
});

test("without opencode the turn fails as missing, and says how to install it", async () => {
  await using stage = await openStage({ conversations });
  await using backend = createOpencodeBackend({ env: { PATH: "/nowhere" } });
  const install = 'Install it with "npm install -g opencode-ai" and run "opencode auth login".';
  expect(await backend.health()).toEqual({ state: "missing", detail: "opencode was not found", install });
  const { result } = await hear(backend.open(await stage.request()).turn("hello"));
  expect(result).toMatchObject({
    outcome: "failed",
    failure: { reason: "missing", message: `opencode was not found. ${install}` },
  });
});

test("a program that is no opencode, or one too old, is told apart, and fails the turn with its last words", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ralpher-programs-"));
  const program = async (name: string, text: string) => {
    await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return createOpencodeBackend({ command: join(folder, name) });
  };
  await using old = await program("old", "echo 0.15.2");
  await using broken = await program("broken", "echo 'no such option' >&2; exit 2");
  expect(await old.health()).toMatchObject({ state: "unsupported", detail: "opencode 0.15.2 is older than 1.0" });
  expect(await broken.health()).toMatchObject({ state: "broken" });
  await using stage = await openStage({ conversations });
  const { result } = await hear(broken.open(await stage.request()).turn("hello"));
  expect(result).toMatchObject({
    outcome: "failed",
    failure: { reason: "crashed", message: expect.stringMatching(/exit code 2.*no such option/) },
  });
  await rm(folder, { recursive: true });
});

test("opencode is asked for its version once, and again when its file has changed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ralpher-programs-"));
  const command = join(folder, "opencode");
  const asked = join(folder, "asked");
  const install = (version: string) =>
    writeFile(command, `#!/bin/sh\nprintf x >> '${asked}'; echo ${version}\n`, { mode: 0o755 });
  await install("1.2.3");
  await using backend = createOpencodeBackend({ command });
  for (const _time of ["once", "twice"]) {
    expect(await backend.health()).toEqual({ state: "ready", version: "1.2.3", path: command });
  }
  expect(await Bun.file(asked).text()).toBe("x");
  await install("1.2.4");
  expect(await backend.health()).toMatchObject({ version: "1.2.4" });
  await rm(folder, { recursive: true });
});
