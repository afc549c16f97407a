import { expect, test } from "bun:test";
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

test("[R-API-5] a time that is none is refused by its path", async () => {
  await using all = await openAll();
  const { status, body } = await all.call("GET", "/api/totals?since=today");
  expect([status, body.issues[0].path]).toEqual([400, "since"]);
});
