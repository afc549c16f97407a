import { expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Loop, TaskDetail, VaultBoard } from "@ralpher/contract";
import { openTaskStage, type StepPlay } from "@ralpher/loop/task-lab";
import { createClient, read } from "./client.ts";
import { serve } from "./stage.fixture.ts";

async function openServed(play?: StepPlay, options: Parameters<typeof openTaskStage>[1] = {}) {
  const stage = await openTaskStage(play, options);
  const { server, bugs } = serve(stage.hub);
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(server.url + path, {
      method,
      ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  return {
    ...stage,
    call,
    bugs,
    url: server.url,
    board: async (directory = stage.root): Promise<VaultBoard> =>
      (await call("GET", `/api/vaults?directory=${encodeURIComponent(directory)}`)).body,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await stage[Symbol.asyncDispose]();
    },
  };
}

test("[T-ITER-2, T-END-1] a task is made, started and looked at over the API until it is filed", async () => {
  await using all = await openServed();
  const client = createClient({ url: all.url });
  const before = await all.board();
  expect(before.open).toMatchObject([{ path: "/Specs/auth/tasks.md", steps: { done: 0, all: 3 }, loop: null }]);
  const loop: Loop = await read(
    client.loops.$post({
      json: {
        directory: all.root,
        strategy: { type: "task", file: "Specs/auth/tasks.md" },
        backend: { type: "scripted" },
        start: {},
      },
    }),
  );
  expect(loop.config).toMatchObject({ name: "Three steps", strategy: { file: "/Specs/auth/tasks.md" } });
  await all.atRest(loop.config.id);
  const detail = (await read(client.loops[":id"].task.$get({ param: { id: loop.config.id } }))) as TaskDetail;
  expect(detail).toMatchObject({
    place: "done",
    path: "/Done/auth/tasks.md",
    counters: { iterations: 3, total_successes: 3 },
    handOff: null,
  });
  expect(detail.steps.map(({ key, done }) => [key, done])).toEqual([
    ["One", true],
    ["Two", true],
    ["Three", true],
  ]);
  expect(detail.history.map(({ step }) => step)).toEqual(["One", "Two", "Three"]);
  expect((await all.board()).done).toMatchObject([{ loop: { id: loop.config.id, status: "completed" } }]);
  const [line] = await all.hub.list();
  expect(line?.config).toMatchObject({ strategy: "task", file: "/Done/auth/tasks.md", maxIterations: 100 });
  expect(all.bugs).toEqual([]);
});

test("[T-END-3] what a task asks is answered over the API, once", async () => {
  let works = false;
  await using all = await openServed(() => (works ? {} : { result: "failure", error: "no" }), {
    config: "  failure_threshold: 1",
  });
  const { id } = await all.run();
  const { body } = await all.call("GET", `/api/loops/${id}/task`);
  expect(body.handOff).toMatchObject({ kind: "error_report", answer: null, text: expect.stringContaining("no") });
  const [line] = await all.hub.list();
  expect(line?.state.handOff).toBe(body.handOff.path);
  works = true;
  const chosen = await all.call("POST", `/api/loops/${id}/choose`, { choice: "retry" });
  expect([chosen.status, chosen.body.config.id]).toEqual([200, id]);
  expect((await all.atRest(id)).phase.status).toBe("completed");
  expect(await all.call("POST", `/api/loops/${id}/choose`, { choice: "retry" })).toMatchObject({ status: 409 });
  const wrong = await all.call("POST", `/api/loops/${id}/choose`, { choice: "perhaps" });
  expect([wrong.status, wrong.body.issues[0].path]).toEqual([400, "choice"]);
});

test("a task whose failures ended it starts again when they are counted from zero", async () => {
  let works = false;
  await using all = await openServed(() => (works ? {} : { result: "failure", error: "no" }), {
    config: "  failure_threshold: 1",
  });
  const view = await all.run();
  works = true;
  expect((await all.call("POST", `/api/loops/${view.id}/start`, { resetFailures: true })).status).toBe(200);
  expect((await all.nextRest(view.id, view)).phase.status).toBe("completed");
});

test("[T-END-4, T-INJ-1] a vault is told to stop, to go on, and what is to be said later", async () => {
  await using all = await openServed();
  const tell = (command: object) => all.call("POST", "/api/vaults/tell", { directory: all.root, command });
  expect(await tell({ type: "stop", reason: "The server is moved." })).toEqual({
    status: 200,
    body: { path: "/Control/STOP_AUTONOMOUS_LOOP" },
  });
  expect((await all.board()).stopHook).toMatchObject({ path: "/Control/STOP_AUTONOMOUS_LOOP" });
  expect(await readFile(join(all.root, "Control/STOP_AUTONOMOUS_LOOP"), "utf8")).toContain("The server is moved.");
  expect((await tell({ type: "lift" })).status).toBe(200);
  expect((await all.board()).stopHook).toBeNull();
  expect((await tell({ type: "inject", text: "Use OAuth2." })).status).toBe(200);
  expect((await all.board()).waitingPrompt).toContain("Use OAuth2.");
  expect((await tell({ type: "inject", text: " " })).status).toBe(400);
  expect((await tell({ type: "dance" })).status).toBe(400);
});

test("a folder that is no vault is told of as such, and becomes one when it is laid out", async () => {
  await using all = await openServed();
  const folder = await mkdtemp(join(tmpdir(), "ralpher-no-vault-"));
  const path = `/api/vaults?directory=${encodeURIComponent(folder)}`;
  const none = await all.call("GET", path);
  expect([none.status, none.body.error]).toEqual([400, "vault_unusable"]);
  const made = await all.call("POST", "/api/vaults", { directory: folder });
  expect(made.status).toBe(201);
  expect(made.body.created).toContain("/Specs");
  expect((await all.board(folder)).open).toEqual([]);
  expect((await all.call("POST", "/api/vaults", { directory: folder })).body.created).toEqual([]);
  expect((await all.call("GET", "/api/vaults?directory=here")).status).toBe(400);
  await rm(folder, { recursive: true, force: true });
});

test("[R-API-5] a loop of another strategy has no task and asks nothing", async () => {
  await using all = await openServed();
  const { id } = await all.create(all.root, { git: { enabled: false } });
  expect(await all.call("GET", `/api/loops/${id}/task`)).toMatchObject({ status: 409, body: { error: "not_task" } });
  expect((await all.call("POST", `/api/loops/${id}/choose`, { choice: "retry" })).status).toBe(409);
  expect((await all.call("GET", `/api/loops/${crypto.randomUUID()}/task`)).status).toBe(404);
});
