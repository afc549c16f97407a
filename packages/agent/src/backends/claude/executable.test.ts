import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionRequest } from "@ralpher/contract";
import { createClaudeBackend } from "./backend.ts";

setDefaultTimeout(30_000);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ralpher-program-"));
});
afterAll(() => rm(folder, { recursive: true }));

const request = (more: Partial<SessionRequest> = {}): SessionRequest => ({
  directory: folder,
  backend: { type: "claude", mode: "spawn" },
  title: "Test",
  idleTimeoutMs: 60_000,
  signal: new AbortController().signal,
  ...more,
});

/** A program of our own in the place of Claude Code. */
async function program(name: string, script: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

async function failureWith(command: string, more?: Partial<SessionRequest>) {
  await using backend = createClaudeBackend({ command });
  await using session = backend.open(request(more));
  const result = await session.turn("greet").result;
  return result.outcome === "failed" ? result.failure : null;
}

const healthOf = (command: string) => createClaudeBackend({ command }).health();

test("the program that comes with the SDK is found", async () => {
  expect(await createClaudeBackend().health()).toMatchObject({
    state: "ready",
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    path: expect.stringContaining("claude-agent-sdk"),
  });
});

test("a program that is not there is missing, and so is the turn's agent", async () => {
  expect(await healthOf("no-such-claude")).toMatchObject({ state: "missing", install: expect.stringMatching(/npm/) });
  expect(await failureWith("no-such-claude")).toMatchObject({
    reason: "missing",
    message: expect.stringMatching(/npm/),
  });
});

test("an old Claude Code is unsupported, and another program is broken", async () => {
  expect(await healthOf(await program("old", 'echo "1.0.128 (Claude Code)"'))).toMatchObject({ state: "unsupported" });
  expect(await healthOf(await program("other", 'echo "other 9.1.0"'))).toMatchObject({ state: "broken" });
});

test("a program that ends at once fails the turn as crashed, with its last words", async () => {
  const command = await program("ends", 'echo "cannot go on" >&2; exit 3');
  expect(await failureWith(command)).toEqual({
    reason: "crashed",
    message: "Claude Code ended (exit code 3). cannot go on",
  });
});

test("a program that says what nobody understands fails the turn as protocol, and is ended", async () => {
  const command = await program("babbles", `echo '{"type":"result"}'; exec sleep 1000`);
  expect(await failureWith(command)).toMatchObject({ reason: "protocol" });
});

test("a program that says nothing is ended with the session", async () => {
  const command = await program("silent", "exec sleep 1000");
  await using backend = createClaudeBackend({ command });
  const session = backend.open(request());
  const turn = session.turn("greet");
  for await (const event of turn) if (event.type === "session.start") break;
  await session[Symbol.asyncDispose]();
  expect(await turn.result).toMatchObject({ outcome: "failed", failure: { reason: "aborted" } });
});

test("a folder that is not there fails the turn", async () => {
  const failure = await failureWith("sh", { directory: join(folder, "nowhere") });
  expect(failure).toMatchObject({ reason: "missing", message: expect.stringContaining("nowhere") });
});

test("a program is asked for its version once, and again when it has changed or was not ready", async () => {
  const asked = join(folder, "asked");
  const times = async () => (await Bun.file(asked).text()).length;
  const versioned = (version: string) => program("counting", `printf x >> '${asked}'; echo "${version} (Claude Code)"`);
  await using backend = createClaudeBackend({ command: await versioned("2.1.330") });
  const ready = { state: "ready" as const, version: "2.1.330", path: join(folder, "counting") };
  expect(await Promise.all([backend.health(), backend.health()])).toEqual([ready, ready]);
  expect(await backend.health()).toEqual(ready);
  expect(await times()).toBe(1);

  await versioned("2.1.331");
  expect(await backend.health()).toMatchObject({ state: "ready", version: "2.1.331" });
  expect(await times()).toBe(2);

  await versioned("1.0.128");
  for (const _time of ["once", "twice"]) expect(await backend.health()).toMatchObject({ state: "unsupported" });
  expect(await times()).toBe(4);
  await rm(join(folder, "counting"));
  expect(await backend.health()).toMatchObject({ state: "missing" });
});
