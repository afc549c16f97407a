import { expect, test } from "bun:test";
import type { Loop } from "@ralpher/contract";
import { openAll } from "./stage.fixture.ts";

test("the totals are what all loops did since a time; what nobody reported is unknown", async () => {
  await using all = await openAll();
  const before = new Date(Date.now() - 60_000).toISOString();
  const ahead = new Date(Date.now() + 3_600_000).toISOString();
  const totals = async (since: string) =>
    (await all.call("GET", `/api/totals?since=${encodeURIComponent(since)}`)).body;
  const nothing = { loops: 0, iterations: 0, commits: 0 };
  expect(await totals(before)).toMatchObject(nothing);

  const { body } = await all.call("POST", "/api/loops", { ...all.request, start: {} });
  await all.lab.atRest(body.config.id);
  await all.call("POST", "/api/loops", all.request);
  expect(await totals(before)).toEqual({
    since: before,
    loops: 1,
    iterations: 3,
    commits: 3,
    usage: { inputTokens: 30, outputTokens: 6, costUsd: null },
  });
  expect(await totals(ahead)).toMatchObject(nothing);
});

test("[R-DATA-3] what an imported loop did before it came is not counted; what it does here is", async () => {
  await using all = await openAll();
  const before = new Date(Date.now() - 60_000).toISOString();
  const totals = async () => (await all.call("GET", `/api/totals?since=${encodeURIComponent(before)}`)).body;
  const { config } = (await all.call("POST", "/api/loops", { ...all.request, start: {} })).body;
  await all.lab.atRest(config.id);
  const sum = await totals();
  expect(sum).toMatchObject({ loops: 1, iterations: 3, commits: 3 });

  const bundle = await fetch(`${all.server.url}/api/loops/${config.id}/export?bundle=true`);
  const copy = await fetch(`${all.server.url}/api/loops/import`, {
    method: "POST",
    body: await bundle.arrayBuffer(),
    headers: { "content-type": "application/gzip" },
  });
  const copied = ((await copy.json()) as Loop).config.id;
  const plain = (await all.call("GET", `/api/loops/${config.id}`)).body;
  expect((await all.call("POST", "/api/loops/import", plain)).status).toBe(201);
  expect(await totals()).toEqual(sum);

  await all.call("PATCH", `/api/loops/${copied}`, { maxIterations: 4 });
  await all.call("POST", `/api/loops/${copied}/start`);
  await all.lab.atRest(copied);
  expect(await totals()).toMatchObject({ loops: 2, iterations: 4, commits: 4, usage: { inputTokens: 40 } });
});

test("[R-API-5] a time that is none is refused by its path", async () => {
  await using all = await openAll();
  const { status, body } = await all.call("GET", "/api/totals?since=today");
  expect([status, body.issues[0].path]).toEqual([400, "since"]);
});
