import { expect, test } from "bun:test";
import type { Loop, LoopView } from "@ralpher/contract";
import { createClient, good, Refusal, read } from "./client.ts";
import { openAll } from "./stage.fixture.ts";

test("[R-API-4] the client's types and answers are the routes' own", async () => {
  await using all = await openAll();
  const client = createClient({ url: all.server.url });
  const loop: Loop = await read(
    client.loops.$post({ json: { directory: all.repository, prompt: "Do it.", backend: { type: "scripted" } } }),
  );
  const param = { id: loop.config.id };
  expect(await read(client.loops[":id"].$get({ param }))).toEqual(loop);
  const view: LoopView = await read(client.loops[":id"].view.$get({ param }));
  expect(view.config).toEqual(loop.config);
  const listed = await good(client.loops.$get({ query: { status: "idle,running" } }));
  expect(listed.headers.get("x-total-count")).toBe("1");
  expect(await read(client.loops[":id"].start.$post({ param, json: {} }))).toEqual({ success: true });
  await all.lab.atRest(loop.config.id);
  const logs = await read(client.loops[":id"].logs.$get({ param, query: { limit: 1 } }));
  expect(logs[0]).toMatchObject({ type: "loop.created", seq: 1 });
});

test("[R-API-5] what the server refuses is thrown with its words and data, and silence in ours", async () => {
  await using all = await openAll({ token: "a-long-secret" });
  const param = { id: crypto.randomUUID() };
  const refusalOf = (client: ReturnType<typeof createClient>) =>
    read(client.loops[":id"].$get({ param })).then(
      () => null,
      (error: Refusal) => error,
    );
  expect(await refusalOf(createClient({ url: all.server.url }))).toMatchObject({ code: "unauthorized", status: 401 });
  const missing = await refusalOf(createClient({ url: all.server.url, token: "a-long-secret" }));
  expect(missing).toBeInstanceOf(Refusal);
  expect(missing).toMatchObject({ code: "loop_not_found", status: 404, data: { id: param.id } });
  await all.server[Symbol.asyncDispose]();
  expect(await refusalOf(createClient({ url: all.server.url }))).toMatchObject({ code: "unreachable", status: 0 });
});

test("an abort is no refusal", async () => {
  await using all = await openAll();
  const client = createClient({ url: all.server.url });
  const asked = read(client.loops.$get({ query: {} }, { init: { signal: AbortSignal.abort() } }));
  expect(await asked.catch((error) => error.name)).toBe("AbortError");
});

test("the client brings nothing of the server along: it is small", async () => {
  const built = await Bun.build({
    entrypoints: [`${import.meta.dir}/client.ts`],
    target: "browser",
    minify: true,
  });
  const text = await built.outputs[0]?.text();
  expect(Bun.gzipSync(text ?? "").length).toBeLessThan(3_000);
});
