import { expect, test } from "bun:test";
import type { Claims, SodaReport } from "@ralpher/contract";
import { tellSoda } from "../test/soda-story.ts";
import { openAll } from "./stage.fixture.ts";

/** What is told is not gone on with. */
const told = { runs: "adopted" } as const;

test("a SODA loop's report has its iterations phase by phase, a page at a time", async () => {
  await using all = await openAll(told);
  const { loopId, root } = await tellSoda(all.lab, all.repository, { iterations: 4 });
  const report = async (query = ""): Promise<SodaReport> =>
    (await all.call("GET", `/api/loops/${loopId}/soda${query}`)).body;
  const whole = await report();
  expect(whole.iterations.map(({ iteration }) => iteration)).toEqual([1, 2, 3, 4]);
  expect(whole.root?.id).toBe(root);
  expect(whole.spec?.path).toEndWith("Sodafile");
  expect(whole.summary?.text).toContain("waiting for you");
  expect(whole.woken).toMatchObject([{ by: "comment" }]);
  const [first, , , last] = whole.iterations;
  expect(first?.tasks.map(({ outcome }) => outcome)).toEqual(["completed", "blocked", "blocked"]);
  expect(first?.tasks[1]).toMatchObject({ setAside: expect.stringContaining("refs/"), regression: { note: null } });
  expect(first?.act?.tasks_completed).toHaveLength(1);
  expect(last?.decision?.outcome).toBe("STUCK");

  const newest = await report("?limit=2");
  expect(newest.iterations.map(({ iteration }) => iteration)).toEqual([3, 4]);
  const before = await report(`?limit=2&before=${newest.iterations[0]?.seq}`);
  expect(before.iterations.map(({ iteration }) => iteration)).toEqual([1, 2]);
  expect(all.bugs).toEqual([]);
});

test("[S-OUT-1] what SENSE would claim now can be asked for, and changes nothing", async () => {
  await using all = await openAll(told);
  const { loopId } = await tellSoda(all.lab, all.repository, { iterations: 2 });
  const before = (await all.call("GET", `/api/loops/${loopId}/view`)).body.seq;
  const { status, body } = await all.call("GET", `/api/loops/${loopId}/sense`);
  const claims = body as Claims;
  expect([status, claims.iteration_number]).toEqual([200, 3]);
  expect("error" in claims.code_state ? claims.code_state.error : claims.code_state.commit_count).toBe(1);
  expect((await all.call("GET", `/api/loops/${loopId}/view`)).body.seq).toBe(before);
});

test("[R-API-5] a loop of another strategy has no such report, and a page that is none is refused", async () => {
  await using all = await openAll();
  const { config } = (await all.call("POST", "/api/loops", all.request)).body;
  for (const path of ["soda", "sense"]) {
    const { status, body } = await all.call("GET", `/api/loops/${config.id}/${path}`);
    expect([status, body.error]).toEqual([409, "not_soda"]);
  }
  const { status, body } = await all.call("GET", `/api/loops/${config.id}/soda?limit=0`);
  expect([status, body.issues[0].path]).toEqual([400, "limit"]);
  expect((await all.call("GET", `/api/loops/${crypto.randomUUID()}/soda`)).status).toBe(404);
});
