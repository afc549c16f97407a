import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BackendConfig } from "@ralpher/contract";
import { drain } from "../../last-lines.ts";
import { type Guarded, startGuarded } from "../../process/guard.ts";
import { createOpencodeBackend } from "./backend.ts";
import { openProxy } from "./proxy.fixture.ts";
import { createClient } from "./server.ts";
import { command, hear, hearUntil, openStage, type Stage, until } from "./stage.fixture.ts";

setDefaultTimeout(60_000);

let stage: Stage;
let server: Guarded;
let port: number;
const withPassword = { OPENCODE_SERVER_PASSWORD: "between us" };
const connectTo = (at: number): BackendConfig => ({ type: "opencode", mode: "connect", port: at });

beforeAll(async () => {
  const wait = "while [ ! -e go ]; do sleep 0.05; done";
  stage = await openStage({
    conversations: [
      {
        when: "wait",
        steps: [{ tools: [{ name: "bash", input: { command: wait, description: "Wait" } }] }, { text: "Went on." }],
      },
      { steps: [{ text: "Hello." }] },
    ],
  });
  server = startGuarded({
    argv: [command, "serve", "--hostname", "127.0.0.1", "--port", "0"],
    cwd: "/",
    env: { ...stage.env, ...withPassword },
  });
  const listening = Promise.withResolvers<number>();
  let said = "";
  drain(server.stdout, (text) => {
    said += text;
    const at = /listening on http:\/\/127\.0\.0\.1:(\d+)\s/.exec(said)?.[1];
    if (at !== undefined) listening.resolve(Number(at));
  });
  port = await listening.promise;
});
afterAll(async () => {
  await server.end();
  await stage[Symbol.asyncDispose]();
});

test("[R-BACK-2] a server that is there is used, and left alone afterwards", async () => {
  for (const _ of ["once", "again"]) {
    await using backend = createOpencodeBackend({ command: "/no/such/program", env: withPassword });
    await using session = backend.open(await stage.request({ backend: connectTo(port) }));
    const { events, result } = await hear(session.turn("hello"));
    expect(events[0]).toMatchObject({ type: "session.start", session: { serverUrl: `http://127.0.0.1:${port}` } });
    expect(result).toMatchObject({ outcome: "done", text: "Hello." });
  }
});

test("a server that is there keeps its own environment, and that is said", async () => {
  await using backend = createOpencodeBackend({ env: withPassword });
  await using session = backend.open(await stage.request({ backend: connectTo(port), env: { ANY_WORD: "x" } }));
  const { events, result } = await hear(session.turn("hello"));
  expect(result.outcome).toBe("done");
  expect(events.flatMap((event) => (event.type === "notice" ? [event.text] : []))).toEqual([
    "This opencode server has an environment of its own, without what the loop adds: ANY_WORD.",
  ]);
});

test("a server that wants another password fails the turn as auth", async () => {
  for (const env of [{}, { OPENCODE_SERVER_PASSWORD: "a guess" }]) {
    await using backend = createOpencodeBackend({ env });
    const { result } = await hear(backend.open(await stage.request({ backend: connectTo(port) })).turn("hello"));
    expect(result).toMatchObject({ outcome: "failed", failure: { reason: "auth" } });
  }
});

test("where no server answers the turn fails as connection, and says where and what to do", async () => {
  const free = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port: nobody } = free;
  free.stop(true);
  await using backend = createOpencodeBackend({ env: withPassword });
  const { result } = await hear(backend.open(await stage.request({ backend: connectTo(nobody) })).turn("hello"));
  expect(result).toMatchObject({
    outcome: "failed",
    failure: {
      reason: "connection",
      message: `No opencode server answers at 127.0.0.1:${nobody}. Start one with "opencode serve --port ${nobody}", or name another host and port.`,
    },
  });
});

test("a turn that goes on while the event stream is broken is heard whole once it is back", async () => {
  using proxy = openProxy(port);
  await using backend = createOpencodeBackend({ env: withPassword });
  const asked = await stage.request({ backend: connectTo(proxy.port) });
  await using session = backend.open(asked);
  const turn = session.turn("wait");
  const events = turn[Symbol.asyncIterator]();
  await hearUntil(events, "tool.start");
  proxy.cut();
  const before = stage.model.requests.length;
  await writeFile(join(asked.directory, "go"), "");
  await until(() => stage.model.requests.length > before);
  proxy.mend();
  await hearUntil(events, "tool.complete");
  await hearUntil(events, "message.complete");
  expect(await turn.result).toMatchObject({ outcome: "done", text: "Went on." });
});

test("a connection that stays broken fails the turn as connection", async () => {
  using proxy = openProxy(port);
  await using backend = createOpencodeBackend({ env: withPassword });
  const asked = await stage.request({ backend: connectTo(proxy.port) });
  await using session = backend.open(asked);
  const turn = session.turn("wait");
  await hearUntil(turn[Symbol.asyncIterator](), "tool.start");
  proxy.cut();
  expect(await turn.result).toMatchObject({ outcome: "failed", failure: { reason: "connection" } });
  await writeFile(join(asked.directory, "go"), "");
});

test("a turn that somebody ends in opencode itself fails as aborted", async () => {
  await using backend = createOpencodeBackend({ env: withPassword });
  const asked = await stage.request({ backend: connectTo(port) });
  await using session = backend.open(asked);
  const turn = session.turn("wait");
  const events = turn[Symbol.asyncIterator]();
  const { value: start } = await events.next();
  await hearUntil(events, "tool.start");
  const client = createClient(`http://127.0.0.1:${port}`, { username: "opencode", password: "between us" });
  const sessionID = start?.type === "session.start" ? start.session.id : "";
  await client.session.abort({ sessionID, directory: asked.directory });
  expect(await turn.result).toMatchObject({ outcome: "failed", failure: { reason: "aborted" } });
});
