import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openTaskStage, type TaskStage } from "../test/task-lab.ts";

const file = "Specs/auth/tasks.md";

async function rewrite(stage: TaskStage, change: (text: string) => string): Promise<void> {
  await stage.write(file, change(await stage.read(file)));
}

test("a check still counts when the agent puts the step in other words and ticks it", async () => {
  await using stage = await openTaskStage(
    async ({ iteration, directory }) => {
      if (iteration === 1) {
        await rewrite(stage, (text) => text.replace("[ ] Do it (verify: test -e made.txt)", "[x] All good now"));
        return { result: "failure", error: "I could not" };
      }
      if (iteration === 3) await writeFile(join(directory, "made.txt"), "");
      return {};
    },
    { task: "- [ ] Do it (verify: test -e made.txt)\n" },
  );
  const view = await stage.run();
  expect(view.phase.status).toBe("completed");
  expect(stage.seen.map(({ step }) => step)).toEqual(["Do it", "All good now", "All good now"]);
  expect(view.task).toMatchObject({ successes: 1, failures: 2 });
});

test("a mark that an agent sets does not end a task whose checks have not passed; a human's does", async () => {
  await using stage = await openTaskStage(
    async ({ iteration }) => {
      if (iteration === 1) await rewrite(stage, (text) => `---\nstatus: done\n---\n${text}`);
      return iteration === 1 ? { result: "failure" } : {};
    },
    { task: "- [ ] One (verify: test -e never.txt)\n- [ ] Two\n", config: "  failure_threshold: 3" },
  );
  const view = await stage.run();
  expect(view.phase.status).toBe("failed");
  expect(await stage.read("Logs/autonomous_loop.log")).toContain("marked complete while an agent worked on it");

  await using other = await openTaskStage(() => ({ result: "failure" }), {
    task: "---\nstatus: done\n---\n- [ ] One (verify: false)\n",
  });
  expect((await other.run()).phase.status).toBe("completed");
});

test("a step that a human skips is skipped, also where the agent ticked it and its check failed", async () => {
  await using stage = await openTaskStage(
    async ({ step }) => {
      if (step === "One") await rewrite(stage, (text) => text.replace("[ ] One", "[x] One"));
      return {};
    },
    { task: "- [ ] One (verify: false)\n- [ ] Two\n", config: "  failure_threshold: 2" },
  );
  const view = await stage.run();
  expect(view.phase.status).toBe("failed");
  const { text } = await stage.handOff();
  expect(text).toContain("did not pass");
  await stage.tickChoice("skip_step");
  expect((await stage.nextRest(view.id, view)).phase.status).toBe("completed");
  expect(stage.seen.map(({ step }) => step)).toEqual(["One", "One", "Two"]);
});

test("a step that could not be ticked is no success", async () => {
  await using stage = await openTaskStage(
    async ({ iteration }) => {
      await rewrite(stage, (text) =>
        text.replace(/Step \d+ .*/, `Step ${iteration} in ${"quite ".repeat(iteration)}other words`),
      );
      return {};
    },
    { task: "- [ ] Step 0 first\n", config: "  max_iterations: 3" },
  );
  const view = await stage.run();
  expect(view.phase.status).toBe("max_iterations");
  expect(view.task).toMatchObject({ successes: 0, lastSuccess: null });
});
