import { describe, expect, test } from "bun:test";
import { toSummary } from "@ralpher/contract";
import { emptyClaims, openPaperSoda, plan, runSoda } from "../../../test/paper-soda.ts";

const gap = { severity: "critical" as const, description: "which database?" };

function stuckRun() {
  const loop = openPaperSoda();
  runSoda(loop, { orient: () => ({ actionable_work_exists: false, gaps: [gap] }) });
  expect(loop.view.phase.status).toBe("stuck");
  return loop;
}

describe("a SODA run at rest", () => {
  test("is stopped at once when it only waits, and stays stopped", () => {
    const loop = stuckRun();
    loop.ask({ type: "stop", reason: "the spec is wrong" });
    expect(loop.view.phase).toEqual({ status: "stopped", reason: "the spec is wrong" });
    expect(loop.next()).toBeNull();
    const { length } = loop.events;
    loop.ask({ type: "stop" });
    expect(loop.events).toHaveLength(length);
  });

  test("that has ended stays as it ended", () => {
    const loop = openPaperSoda();
    runSoda(loop, { orient: () => ({ spec_satisfied: true, actionable_work_exists: false }) });
    loop.ask({ type: "stop" });
    expect(loop.view.phase.status).toBe("completed");
  });

  test("gets another way to run its tests, or the manifest's again", () => {
    const loop = stuckRun();
    loop.ask({ type: "update", changes: { test: "make check" } });
    expect(loop.view.config.strategy).toMatchObject({ type: "soda", spec: "Sodafile", test: "make check" });
    loop.ask({ type: "update", changes: { name: "Other" } });
    expect(loop.view.config.strategy).toHaveProperty("test", "make check");
    loop.ask({ type: "update", changes: { test: null } });
    expect(loop.view.config.strategy).not.toHaveProperty("test");
  });
});

test("[L-HUM-2] what could not be read in a SENSE is held against what was seen before", () => {
  const loop = stuckRun();
  const own = { id: "p-1", at: "2026-01-02", links: "parent p-root" };
  const sense = (iteration: number, more: { links?: Record<string, string>; cursor: string }) =>
    loop.happens({ type: "loop.sensed", iteration, claims: emptyClaims(iteration), said: [], ...more });
  sense(2, { cursor: "2026-01-01", links: { "p-root": "" } });
  const changes = [{ ...own, title: "", what: "created" as const }];
  loop.happens({ type: "loop.items.changed", iteration: 2, changes });
  loop.happens({ type: "loop.items.changed", iteration: 2, changes });
  sense(3, { cursor: "2026-01-01" });
  expect(loop.view.soda?.mark).toEqual({ cursor: "2026-01-01", links: { "p-root": "" }, own: [own] });
  sense(4, { cursor: "2026-01-02", links: {} });
  expect(loop.view.soda?.mark).toEqual({ cursor: "2026-01-02", links: {}, own: [] });
});

test("the list of loops says how ORIENT judged it, then what its executor reported", () => {
  const loop = openPaperSoda();
  const criteria = [
    { criterion: "a", satisfied: true as const, evidence: [] },
    { criterion: "b", satisfied: false, evidence: [] },
  ];
  const world = { orient: () => ({ criteria, summary: "half of it\nand more", iteration_plan: plan("p-1") }) };
  runSoda(loop, world, (step) => step.do === "execute");
  expect(toSummary(loop.view).state.lastText).toBe("1 of 2 criteria: half of it");
  runSoda(loop, world, (step) => step.do === "settle");
  expect(toSummary(loop.view).state.lastText).toBe("did it");
});
