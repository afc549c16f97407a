import { expect, test } from "bun:test";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@ralpher/contract";
import { hastyClock } from "../test/lab.ts";
import { openTaskStage } from "../test/task-lab.ts";

test("[T-ITER-1, T-ITER-2, T-END-5, T-STATE-4] a task is worked on step by step until it is done, filed away and reported", async () => {
  await using stage = await openTaskStage(async ({ step, directory }) => {
    await writeFile(join(directory, `${step}.txt`), step);
    return { action: `make_${step}`, next_action: "the next" };
  });
  const view = await stage.run();
  expect(view.phase).toEqual({ status: "completed", reason: "the task is done" });
  expect(stage.seen.map(({ iteration, step }) => [iteration, step])).toEqual([
    [1, "One"],
    [2, "Two"],
    [3, "Three"],
  ]);
  expect(await stage.names("Done")).toEqual(["auth"]);
  expect(await stage.read("Done/auth/tasks.md")).toBe("# Three steps\n\n- [x] One\n- [x] Two\n- [x] Three\n");
  expect(await stage.names("Specs")).toEqual([]);
  expect(await stage.names(".state")).toEqual(["history"]);
  const [archived = ""] = await stage.names(".state/history");
  const state = await stage.state(`.state/history/${archived}`);
  expect(state).toMatchObject({
    status: "completed",
    task_id: "auth",
    task_path: "/Done/auth/tasks.md",
    counters: { iterations: 3, consecutive_failures: 0, total_successes: 3, total_failures: 0 },
    metadata: { started_by: "human", can_resume: false, ralpher_loop: view.id },
  });
  expect(`${state.loop_id}.json`).toBe(archived);
  expect(state.history.map(({ iteration, action, result }) => [iteration, action, result])).toEqual([
    [1, "make_One", "success"],
    [2, "make_Two", "success"],
    [3, "make_Three", "success"],
  ]);
  const report = await stage.read((view.task?.report ?? "").slice(1));
  expect(report).toContain("Three steps");
  expect(await stage.names("Needs_Action")).toEqual([]);
  const log = await stage.read("Logs/autonomous_loop.log");
  expect(log).toContain("iteration 2: make_Two: success: Two");
  expect(stage.troubles).toEqual([]);
});

test("[T-END-2] used up iterations are escalated, and the state stays", async () => {
  await using stage = await openTaskStage(undefined, { config: "  max_iterations: 2" });
  const view = await stage.run();
  expect(view.phase).toEqual({ status: "max_iterations", reason: "all 2 iterations were used" });
  const { path, text } = await stage.handOff();
  expect(path).toContain("_escalation_auth.md");
  expect(text).toContain("2 of 3 steps are done");
  expect(text).toContain("--max-iterations 4");
  expect(await stage.state()).toMatchObject({
    status: "max_iterations",
    counters: { iterations: 2, max_iterations: 2 },
    current_state: { current_task: "Three", last_action: "write_code", last_result: "success" },
    metadata: { can_resume: true },
  });
  expect(view.task?.handOff).toMatchObject({ kind: "escalation", path, answer: null });
});

test("[T-END-3, T-ITER-3] failures in a row end it, and a human who ticks a choice carries it on", async () => {
  let works = false;
  await using stage = await openTaskStage(
    ({ step }) =>
      step === "One" || works ? {} : { result: "failure", action: "run_tests", error: "Test failed: auth" },
    { config: "  failure_threshold: 2" },
  );
  const view = await stage.run();
  expect(view.phase.status).toBe("failed");
  expect(await stage.state()).toMatchObject({
    status: "failed",
    counters: { iterations: 3, consecutive_failures: 2, total_successes: 1, total_failures: 2 },
    checkpoints: { last_successful_state: { iteration: 1, task: "One" } },
  });
  const { text } = await stage.handOff();
  expect(text).toContain("Test failed: auth");
  expect(text).toContain("3. Two: run_tests: failure (Test failed: auth)");
  expect(stage.seen.at(-1)?.prompt).toContain("Test failed: auth");
  works = true;
  await stage.tickChoice("retry");
  const after = await stage.nextRest(view.id, view);
  expect(after.phase.status).toBe("completed");
  expect(after.iteration).toBe(5);
  const closed = await stage.handOff();
  expect(closed.text).toContain("status: closed");
  expect(closed.text).toContain("It tries again.");
});

test("[T-ITER-3] a step that is partly done stays open, and counts neither as success nor as failure", async () => {
  await using stage = await openTaskStage(
    ({ iteration }) =>
      iteration === 1 ? { result: "failure" } : iteration === 2 ? { result: "partial", next_action: "the rest" } : {},
    { config: "  failure_threshold: 2" },
  );
  const view = await stage.run();
  expect(view.phase.status).toBe("completed");
  expect(stage.seen.map(({ step }) => step)).toEqual(["One", "One", "One", "Two", "Three"]);
  expect(view.recent.map(({ outcome }) => outcome)).toEqual(["error", "partial", "continue", "continue", "continue"]);
  expect(stage.seen[2]?.prompt).toContain("Next: the rest");
  expect(view.task).toMatchObject({ successes: 3, failures: 1 });
});

test("a step with a check counts as done only when that ends with 0, and the next prompt tells what it printed", async () => {
  await using stage = await openTaskStage(
    async ({ iteration, directory }) => {
      if (iteration === 2) await writeFile(join(directory, "made.txt"), "here");
      return {};
    },
    { task: "# Make it\n\n- [ ] Make the file (verify: cat made.txt)\n" },
  );
  const view = await stage.run();
  expect(view.phase.status).toBe("completed");
  expect(view.iteration).toBe(2);
  expect(stage.seen[1]?.prompt).toContain("The check `cat made.txt` did not pass");
  expect(stage.seen[1]?.prompt).toContain("No such file");
  expect(await stage.typesOf(view.id)).toContain("loop.step.verified");
});

test("boxes that an agent ticks by itself are not believed where a check or its own report says otherwise", async () => {
  await using stage = await openTaskStage(
    async ({ iteration, directory }) => {
      if (iteration === 1) {
        const text = await stage.read("Specs/auth/tasks.md");
        await stage.write("Specs/auth/tasks.md", text.replaceAll("[ ]", "[x]"));
        return { result: "partial", summary: "got on" };
      }
      if (iteration === 4) await writeFile(join(directory, "made.txt"), "");
      return {};
    },
    { task: "- [ ] One\n- [ ] Two\n- [ ] Three (verify: test -e made.txt)\n" },
  );
  const view = await stage.run();
  expect(stage.seen.map(({ step }) => step)).toEqual(["One", "One", "Three", "Three"]);
  expect(view.phase.status).toBe("completed");
  expect(view.task).toMatchObject({ successes: 2, failures: 1, look: { doubted: [] } });
});

test("[T-END-4] a stop hook ends it after the iteration under way; when it is deleted, the task goes on", async () => {
  await using stage = await openTaskStage(async ({ iteration }) => {
    if (iteration === 1) {
      await stage.write("Control/STOP_AUTONOMOUS_LOOP", "---\ntype: stop_hook\nreason: lunch\n---\n\n# Stop\n");
    }
    return {};
  });
  const view = await stage.run();
  expect(view.phase).toEqual({ status: "stopped", reason: "/Control/STOP_AUTONOMOUS_LOOP tells it to: lunch" });
  expect(view.iteration).toBe(1);
  expect(await stage.state()).toMatchObject({ status: "stopped", counters: { iterations: 1 } });
  const { path, text } = await stage.handOff();
  expect(path).toContain("_stop_report_auth.md");
  expect(text).toContain("reason: lunch");
  await stage.vault.removeStopHook(await stage.vault.readConfig());
  const after = await stage.nextRest(view.id, view);
  expect(after.phase.status).toBe("completed");
  expect(after.iteration).toBe(3);
});

test("[T-END-1] a file that a human moves to Done ends it as completed, also while it waits for an answer", async () => {
  await using stage = await openTaskStage(async ({ step }) => {
    if (step === "One") await rename(join(stage.root, "Specs/auth"), join(stage.root, "Done/auth"));
    return {};
  });
  const view = await stage.run();
  expect(view.phase.status).toBe("completed");
  expect(view.iteration).toBe(1);
  expect(await stage.read("Done/auth/tasks.md")).toContain("- [x] One\n- [ ] Two");
  expect((await stage.names(".state/history")).length).toBe(1);

  await stage.write("Specs/other.md", "- [ ] a\n- [ ] b\n");
  const other = await stage.run({ maxIterations: 1 }, { file: "/Specs/other.md" });
  expect(other.phase.status).toBe("max_iterations");
  await rename(join(stage.root, "Specs/other.md"), join(stage.root, "Done/other.md"));
  expect((await stage.nextRest(other.id, other)).phase.status).toBe("completed");
  expect((await stage.names(".state/history")).length).toBe(2);
});

test("[T-END-6] a file that a human moves to Rejected calls it off", async () => {
  await using stage = await openTaskStage(async ({ iteration }) => {
    if (iteration === 2) await rename(join(stage.root, "Specs/auth"), join(stage.root, "Rejected/auth"));
    return {};
  });
  const view = await stage.run();
  expect(view.phase).toEqual({ status: "stopped", reason: "its file is in /Rejected" });
  const [archived] = await stage.names(".state/history");
  expect((await stage.state(`.state/history/${archived}`)).status).toBe("rejected");
  expect(await stage.names("Needs_Action")).toEqual([]);
});

test("[T-END-7] a run whose time is over asks a human", async () => {
  let laterMs = 0;
  const clock: Clock = { now: () => new Date(Date.now() + laterMs), sleep: hastyClock.sleep };
  await using stage = await openTaskStage(
    ({ iteration }) => {
      if (iteration === 1) laterMs = 31 * 60_000;
      return {};
    },
    { config: "  timeout_minutes: 30", clock },
  );
  const view = await stage.run();
  expect(view.phase).toEqual({ status: "stuck", reason: "its 30 minutes are over" });
  expect(view.iteration).toBe(1);
  expect((await stage.state()).status).toBe("timeout");
  await stage.tickChoice("skip_step");
  const after = await stage.nextRest(view.id, view);
  expect(after.phase.status).toBe("completed");
  expect(stage.seen.map(({ step }) => step)).toEqual(["One", "Three"]);
});

test("[T-INJ-1, T-INJ-2] what a human puts down is read every N iterations, told in the next prompt, recorded, and removed", async () => {
  await using stage = await openTaskStage(
    async ({ iteration }) => {
      if (iteration === 1)
        await stage.write("Control/reinject_prompt.md", "---\npriority: high\n---\nUse OAuth2 instead.\n");
      return {};
    },
    { config: "  check_reinject_every_n_iterations: 2", task: "- [ ] a\n- [ ] b\n- [ ] c\n- [ ] d\n" },
  );
  const view = await stage.run();
  const told = stage.seen.filter(({ prompt }) => prompt.includes("Use OAuth2 instead."));
  expect(told.map(({ iteration }) => iteration)).toEqual([3]);
  expect(told[0]?.prompt).toContain("counts more than what the file says");
  expect(await stage.names("Control")).not.toContain("reinject_prompt.md");
  const [archived] = await stage.names(".state/history");
  expect((await stage.state(`.state/history/${archived}`)).last_prompt_injection).toMatchObject({
    iteration: 2,
    prompt: "Use OAuth2 instead.",
  });
  expect(await stage.read("Logs/autonomous_loop.log")).toContain(
    "taken from /Control/reinject_prompt.md (priority high)",
  );
  expect(view.phase.status).toBe("completed");
});

test("[T-INJ-1] the same words put down twice are told twice", async () => {
  const write = () => stage.write("Control/reinject_prompt.md", "Keep going.\n");
  await using stage = await openTaskStage(
    async ({ iteration }) => {
      if (iteration === 1) await write();
      return {};
    },
    { config: "  check_reinject_every_n_iterations: 1" },
  );
  await write();
  await stage.run();
  expect(stage.seen.filter(({ prompt }) => prompt.includes("Keep going.")).map(({ iteration }) => iteration)).toEqual([
    1, 2,
  ]);
});

test("[T-STATE-3] the state is saved every N iterations, and at every ending", async () => {
  const saved: (number | null)[] = [];
  await using stage = await openTaskStage(
    async () => {
      saved.push((await stage.state()).counters.iterations);
      return {};
    },
    { config: "  save_state_every_n_iterations: 2\n  max_iterations: 3", task: "- [ ] a\n- [ ] b\n- [ ] c\n- [ ] d\n" },
  );
  await stage.run();
  expect(saved).toEqual([0, 0, 2]);
  expect((await stage.state()).counters.iterations).toBe(3);
});

test("values that are changed while it runs count from the next iteration, and wrong ones leave those from before", async () => {
  await using stage = await openTaskStage(async ({ iteration }) => {
    if (iteration === 1) await stage.configure("  max_iterations: many");
    if (iteration === 2) await stage.configure("  max_iterations: 2");
    return {};
  });
  const view = await stage.run();
  expect(view.phase).toEqual({ status: "max_iterations", reason: "all 2 iterations were used" });
  const notices = (await stage.hub.read({ loopId: view.id, types: ["loop.notice"] })).map((event) =>
    event.type === "loop.notice" ? event.text : "",
  );
  expect(notices[0]).toStartWith(
    "/Control/autonomous_loop_config.yaml:4:19: max_iterations: it has to be a whole number",
  );
});

test("a task file that somebody is in the middle of writing is looked at again until it can be read", async () => {
  const whole = "# Three steps\n\n- [ ] One\n- [ ] Two\n";
  for (const half of ["---\ntitle: [half\n---\n- [ ] One\n", "", "\0\0"]) {
    await using stage = await openTaskStage(
      async ({ iteration }) => {
        if (iteration === 1) await stage.write("Specs/auth/tasks.md", half);
        return {};
      },
      { task: whole },
    );
    const id = await stage.begin();
    await stage.until(id, ({ task }) => task?.look?.unreadable != null);
    await stage.write("Specs/auth/tasks.md", whole);
    const view = await stage.atRest(id);
    expect(view.phase.status).toBe("completed");
    // What could not be ticked is not believed to be done.
    expect(stage.seen.map(({ step }) => step)).toEqual(["One", "One", "Two"]);
    expect(await stage.read("Done/auth/tasks.md")).toContain("- [x] One\n- [x] Two");
  }
});

test("an old file of the same name among finished tasks is not the task", async () => {
  await using stage = await openTaskStage(async () => {
    await rm(join(stage.root, "Specs/auth"), { recursive: true });
    return {};
  });
  await stage.write("Done/auth/tasks.md", "- [x] last week's\n");
  await stage.write("Done/tasks.md", "- [x] somebody's\n");
  const view = await stage.run();
  expect(view.phase).toEqual({ status: "failed", reason: "its file is nowhere in the vault any more" });
});

test("a state file that is moved by the config leaves none behind", async () => {
  await using stage = await openTaskStage(
    async ({ iteration }) => {
      if (iteration === 1) await stage.configure('  state_file: ".state/other.json"\n  max_iterations: 2');
      return {};
    },
    { config: "  max_iterations: 2" },
  );
  await stage.run();
  expect(await stage.names(".state")).toEqual(["history", "other.json", "other_backup.json"]);
});

test("a human is asked also where the state cannot be written", async () => {
  await using stage = await openTaskStage(async () => {
    await stage.write(".state/autonomous_loop_state.json", '{"name": "theirs"}');
    return {};
  });
  const view = await stage.run();
  expect(view.phase.status).toBe("failed");
  expect((await stage.handOff()).text).toContain("not one this Ralpher may write");
  expect(await stage.read(".state/autonomous_loop_state.json")).toBe('{"name": "theirs"}');
});

test("two tasks at once have a state file each, and neither is taken up twice", async () => {
  const both = Promise.withResolvers<void>();
  const begun = new Set<string>();
  await using stage = await openTaskStage(async ({ step }) => {
    begun.add(step);
    if (begun.has("One") && begun.has("a")) both.resolve();
    await both.promise;
    return {};
  });
  await stage.write("Specs/other.md", "# Other\n\n- [ ] a\n");
  const one = await stage.begin();
  const two = await stage.begin({}, { file: "/Specs/other.md" });
  expect(stage.begin()).rejects.toMatchObject({ code: "task_taken" });
  await both.promise;
  await Promise.all([stage.atRest(one), stage.atRest(two)]);
  const states = await stage.names(".state/history");
  expect(states).toHaveLength(2);
  const ids = await Promise.all(states.map(async (name) => (await stage.state(`.state/history/${name}`)).task_id));
  expect(ids.toSorted()).toEqual(["auth", "other"]);
  expect(await stage.names(".state")).toEqual(["history"]);
});

test("in a vault in git each finished step is a commit, unless that is switched off", async () => {
  await using stage = await openTaskStage(
    async ({ step, directory }) => {
      await writeFile(join(directory, `${step}.txt`), step);
      return step === "Two" && stage.seen.length === 2 ? { result: "partial" } : { summary: `made ${step}` };
    },
    { inGit: true },
  );
  await stage.git("add", "-A");
  await stage.git("commit", "-qm", "first");
  const view = await stage.run();
  const subjects = (await stage.git("log", "--format=%s")).split("\n");
  expect(subjects).toEqual([
    "[Task] auth: completed",
    "[Task] auth: Three",
    "[Task] auth: Two",
    "[Task] auth: One",
    "first",
  ]);
  expect(await stage.git("show", "--stat", "--format=%b", "HEAD~3")).toContain("One.txt");
  expect(view.commitCount).toBe(4);
  // What steers is the human's to commit.
  await stage.configure("  commit_steps: true");
  expect(await stage.git("status", "--short")).toBe(" M Control/autonomous_loop_config.yaml");
  await stage.configure("  commit_steps: false");
  await stage.write("Specs/other.md", "- [ ] Last\n");
  await stage.run({}, { file: "/Specs/other.md" });
  expect((await stage.git("log", "--format=%s")).split("\n")).toHaveLength(5);
});

test("[T-NOTE-1] humans are told of the end by a command, unless that is switched off", async () => {
  const config = "  notify_command: cp Control/example_task.md told.md\n  max_iterations: 1\n";
  for (const isOn of [true, false]) {
    await using stage = await openTaskStage(undefined, { config: `${config}  notify_on_max_iterations: ${isOn}` });
    expect((await stage.run()).phase.status).toBe("max_iterations");
    expect((await stage.names(".")).includes("told.md")).toBe(isOn);
  }
});

test("a file without boxes is one step", async () => {
  await using stage = await openTaskStage(undefined, { task: "# Just do it\r\n\r\nAll of it.\r\n" });
  const view = await stage.run();
  expect(view.phase.status).toBe("completed");
  expect(view.iteration).toBe(1);
  expect(await stage.read("Done/auth/tasks.md")).toBe(
    "---\r\nstatus: done\r\n---\r\n\r\n# Just do it\r\n\r\nAll of it.\r\n",
  );
});
