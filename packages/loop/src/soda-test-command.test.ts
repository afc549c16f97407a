import { expect, test } from "bun:test";
import type { LoopId } from "@ralpher/contract";
import { openSodaStage, planNew } from "../test/soda-lab.ts";

test("a run's test command is checked when it is changed, and is what SENSE claims", async () => {
  await using stage = await openSodaStage({ orient: () => ({ actionable_work_exists: false }) });
  const id = await stage.begin();
  await stage.atRest(id);
  const change = (command: string) => stage.hub.dispatch({ type: "update", loopId: id, changes: { test: command } });
  expect(await change("true; false").catch((error) => error.code)).toBe("test_command_unusable");
  await change("make check");
  expect((await stage.hub.sense({ loopId: id })).survey).toMatchObject({ test_command: "make check" });
});

test("[X-3] a test command that is chosen in the middle of an iteration is for the next one: results of two cannot be compared", async () => {
  let id = "" as LoopId;
  await using stage = await openSodaStage({
    orient: ({ iteration }) =>
      iteration < 3 ? planNew(`Task ${iteration}`) : { actionable_work_exists: false, summary: "enough" },
    execute: async ({ iteration }) => {
      if (iteration === 1) await stage.hub.dispatch({ type: "update", loopId: id, changes: { test: "false" } });
    },
  });
  await stage.redProject();
  id = await stage.begin({}, { test: "sh run-tests.sh" });
  await stage.atRest(id);
  const commands = (await stage.hub.soda(id)).iterations.map(({ baseline, tasks }) =>
    [baseline, tasks[0]?.test].map((result) => (result?.kind === "ran" ? result.command : null)),
  );
  expect(commands).toEqual([
    ["sh run-tests.sh", "sh run-tests.sh"],
    ["false", "false"],
    [null, null],
  ]);
});
