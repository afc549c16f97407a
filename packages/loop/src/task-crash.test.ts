import { expect, test } from "bun:test";
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { StoredEvent } from "@ralpher/contract";
import { openTaskStage } from "../test/task-lab.ts";

/** Each is written once with what happens in the same step. */
const moments: StoredEvent["type"][] = [
  "loop.task.opened",
  "loop.started",
  "loop.vault.looked",
  "loop.step.begun",
  "loop.step.reported",
  "loop.step.verified",
  "loop.step.ticked",
  "loop.git.saved",
  "loop.step.end",
  "loop.task.filed",
];

test.each(moments)(
  "[T-STATE-5] what was done and could not be written down (%s) is found again: no step that was done is done twice",
  async (moment) => {
    let times = 0;
    await using stage = await openTaskStage(
      async ({ iteration, step, directory }) => {
        await appendFile(join(directory, "worked.txt"), `${iteration} ${step}\n`);
        await writeFile(join(directory, `${step}.txt`), step);
        return {};
      },
      {
        inGit: true,
        task: "---\nverify: test -f worked.txt\n---\n\n- [ ] One\n- [ ] Two\n",
        spoils: (types) => types.includes(moment) && times++ === 0,
      },
    );
    const view = await stage.run();
    expect(times).toBeGreaterThan(1);
    expect(view.phase.status).toBe("completed");
    expect(view.iteration).toBe(2);
    const worked = (await stage.read("worked.txt")).trim().split("\n");
    // A turn whose end was not written down is the one thing that is taken up anew, in the same iteration.
    expect([...new Set(worked)]).toEqual(["1 One", "2 Two"]);
    expect(worked.length).toBeLessThanOrEqual(moment === "loop.step.reported" ? 3 : 2);
    expect(await stage.read("Done/auth/tasks.md")).toContain("- [x] One\n- [x] Two\n");
    expect(await stage.names("Specs")).toEqual([]);
    expect(await stage.names(".state")).toEqual(["history"]);
    const [archived = "", ...others] = await stage.names(".state/history");
    expect(others).toEqual([]);
    const state = await stage.state(`.state/history/${archived}`);
    expect(state.counters).toMatchObject({ iterations: 2, total_successes: 2, total_failures: 0 });
    expect(state.history.map(({ iteration }) => iteration)).toEqual([1, 2]);
    expect((await stage.names("Logs")).filter((name) => name.endsWith("report.md"))).toHaveLength(1);
    expect((await stage.git("log", "--format=%s")).split("\n")).toEqual([
      "[Task] auth: completed",
      "[Task] auth: Two",
      "[Task] auth: One",
    ]);
  },
);

test.each(["loop.handed_off", "loop.chosen"] as const)(
  "a question that could not be written down (%s) is asked once, and answered once",
  async (moment) => {
    let times = 0;
    let works = false;
    await using stage = await openTaskStage(() => (works ? {} : { result: "failure", error: "no key" }), {
      config: "  failure_threshold: 1",
      spoils: (types) => types.includes(moment) && times++ === 0,
    });
    const view = await stage.run();
    expect(view.phase.status).toBe("failed");
    works = true;
    await stage.tickChoice("retry");
    const after = await stage.nextRest(view.id, view);
    expect(after.phase.status).toBe("completed");
    expect(times).toBeGreaterThan(1);
    expect((await stage.handOff()).text).toContain("status: closed");
    expect((await stage.typesOf(view.id)).filter((type) => type === "loop.chosen")).toHaveLength(1);
  },
);

test("[T-STATE-5] a prompt that was put down is told once, wherever the process died", async () => {
  for (const spoiled of [1, 2]) {
    let looks = 0;
    await using stage = await openTaskStage(undefined, {
      config: "  check_reinject_every_n_iterations: 1",
      spoils: (types) => types.includes("loop.vault.looked") && ++looks === spoiled,
    });
    await stage.write("Control/reinject_prompt.md", "Mind the gap.\n");
    const view = await stage.run();
    expect(view.phase.status).toBe("completed");
    expect(stage.seen.filter(({ prompt }) => prompt.includes("Mind the gap."))).toHaveLength(1);
    expect(await stage.names("Control")).not.toContain("reinject_prompt.md");
  }
});
