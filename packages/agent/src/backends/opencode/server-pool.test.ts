import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createEndableFetch } from "./endable-fetch.ts";
import { createIdleInstances } from "./idle-instances.ts";
import { openSpawnedServer } from "./spawned-server.ts";
import { command, hear, isRunning, openStage, ownServers, requireOwnServer, until } from "./stage.fixture.ts";

setDefaultTimeout(60_000);

const conversations = [
  {
    when: "print the word",
    steps: [
      { tools: [{ name: "bash", input: { command: "printf %s $WORD > word.txt", description: "x" } }] },
      { text: "Ok." },
    ],
  },
  { when: "be slow", steps: [{ text: "Slowly now.", deltaDelayMs: 1500 }] },
  { steps: [{ text: "Hello." }] },
];

test("sessions that want the same environment share a server, which ends with the last of them", async () => {
  await using stage = await openStage({ conversations });
  const asked = await Promise.all(["one", "one", "two"].map((WORD) => stage.request({ env: { WORD } })));
  const sessions = asked.map((request) => stage.backend.open(request));
  await Promise.all(sessions.map((session) => hear(session.turn("print the word"))));
  expect(await Promise.all(asked.map(({ directory }) => readFile(join(directory, "word.txt"), "utf8")))).toEqual([
    "one",
    "one",
    "two",
  ]);
  expect(await ownServers()).toHaveLength(2);
  const [first, second, third] = sessions;
  await first?.[Symbol.asyncDispose]();
  expect(await ownServers()).toHaveLength(2);
  await second?.[Symbol.asyncDispose]();
  expect(await ownServers()).toHaveLength(1);
  await third?.[Symbol.asyncDispose]();
  expect(await ownServers()).toEqual([]);
});

test("a server that has grown too large is replaced between two turns, and its sessions go on", async () => {
  await using stage = await openStage({ conversations, limits: { memoryLimitBytes: 1 } });
  await using session = stage.backend.open(await stage.request());
  const one = await hear(session.turn("hello"));
  await until(async () => (await ownServers()).length === 0);
  const two = await hear(session.turn("hello again"));
  expect(two.result).toMatchObject({ outcome: "done", text: "Hello." });
  const idOf = ({ events }: typeof one) => (events[0]?.type === "session.start" ? events[0].session.id : "none");
  expect(idOf(two)).toBe(idOf(one));
  const [small = Number.NaN, large] = stage.model.requests
    .filter(({ session: id, sideCall }) => id === idOf(one) && sideCall === null)
    .map(({ messageCount }) => messageCount);
  expect(large).toBeGreaterThan(small);
});

test("a server that has grown too large ends no turn: it is left when its last one is over", async () => {
  await using stage = await openStage({ conversations, limits: { memoryLimitBytes: 1 } });
  const slow = stage.run("be slow");
  await until(() => stage.model.requests.length > 0);
  const old = await requireOwnServer();
  const quick = await stage.run("hello");
  expect(quick.result.outcome).toBe("done");
  expect((await slow).result).toMatchObject({ outcome: "done", text: "Slowly now." });
  await until(async () => !(await isRunning(old)));
});

test("a directory that was left is closed in the server, and opened again when it is needed", async () => {
  await using stage = await openStage({ conversations, limits: { directoryRestMs: 1 } });
  const asked = await stage.request();
  await using session = stage.backend.open(asked);
  for (const _ of [1, 2, 3]) expect((await hear(session.turn("hello"))).result.outcome).toBe("done");

  await using server = await openSpawnedServer({ command, env: stage.env });
  const endable = createEndableFetch();
  const { stream } = await server.client.global.event({ fetch: endable.fetch, sseMaxRetryAttempts: 1 });
  // The stream begins when it is read.
  const events = stream[Symbol.asyncIterator]();
  await events.next();
  await server.client.path.get({ directory: asked.directory });
  const instances = createIdleInstances(server.client, 1);
  await instances.use(asked.directory);
  instances.rest(asked.directory);
  for (let next = await events.next(); !next.done; next = await events.next()) {
    if ((next.value.payload.type as string) === "server.instance.disposed") break;
  }
  endable.end();
  await instances.use(asked.directory);
  expect((await server.client.path.get({ directory: asked.directory })).data?.directory).toBe(asked.directory);
});
