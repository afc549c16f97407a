import { expect, test } from "bun:test";
import { join } from "node:path";
import { openLab } from "../test/lab.ts";
import { openTaskStage } from "../test/task-lab.ts";

const failing = () => ({ result: "failure", error: "no key" });

test("[T-STATE-5] a task that is started again by hand keeps its counters, and needs room under its limits", async () => {
  await using stage = await openTaskStage(failing, { config: "  failure_threshold: 2\n  max_iterations: 3" });
  const view = await stage.run();
  expect(view.phase.status).toBe("failed");
  const start = (more = {}) => stage.hub.dispatch({ type: "start", loopId: view.id, ...more });
  expect(start()).rejects.toMatchObject({
    code: "illegal_transition",
    message: expect.stringContaining("--reset-failures"),
  });
  await start({ resetFailures: true });
  const again = await stage.nextRest(view.id, view);
  expect(again.phase.status).toBe("max_iterations");
  expect(again.iteration).toBe(3);
  expect((await stage.state()).counters).toMatchObject({ iterations: 3, consecutive_failures: 1, total_failures: 3 });
  expect(start()).rejects.toMatchObject({
    code: "illegal_transition",
    message: expect.stringContaining("--max-iterations"),
  });
  // What the vault says now counts, not what it said then.
  await stage.configure("  failure_threshold: 9\n  max_iterations: 4");
  await start();
  const last = await stage.nextRest(view.id, again);
  expect(last.iteration).toBe(4);
  const asked = await stage.names("Needs_Action");
  expect(asked).toHaveLength(3);
  const texts = await Promise.all(asked.map((name) => stage.read(`Needs_Action/${name}`)));
  expect(texts.filter((text) => text.includes("status: open"))).toHaveLength(1);
  expect(texts.filter((text) => text.includes("It was started again by hand."))).toHaveLength(2);
});

test("choices can be made without the file, only those that are offered, and only while it asks", async () => {
  await using stage = await openTaskStage(undefined, { config: "  max_iterations: 1" });
  const view = await stage.run();
  const choose = (choice: "retry" | "more_iterations" | "complete") =>
    stage.hub.dispatch({ type: "choose", loopId: view.id, choice });
  expect(choose("retry")).rejects.toMatchObject({ code: "invalid_input" });
  await choose("more_iterations");
  const more = await stage.nextRest(view.id, view);
  expect(more.iteration).toBe(2);
  expect(more.config.maxIterations).toBe(2);
  await choose("complete");
  const done = await stage.nextRest(view.id, more);
  expect(done.phase.status).toBe("completed");
  expect(await stage.read("Done/auth/tasks.md")).toContain("- [x] Two\n- [ ] Three");
  expect(choose("complete")).rejects.toMatchObject({ code: "illegal_transition" });
});

test("a task that is called off by a choice is moved to Rejected", async () => {
  await using stage = await openTaskStage(failing, { config: "  failure_threshold: 1" });
  const view = await stage.run();
  await stage.tickChoice("reject");
  const after = await stage.nextRest(view.id, view);
  expect(after.phase).toEqual({ status: "stopped", reason: "a human called it off" });
  expect(await stage.names("Rejected")).toEqual(["auth"]);
  const [archived] = await stage.names(".state/history");
  expect((await stage.state(`.state/history/${archived}`)).status).toBe("rejected");
});

test("a task that is stopped by hand asks what next, and can go on", async () => {
  const begun = Promise.withResolvers<void>();
  let isStopped = false;
  await using stage = await openTaskStage(async ({ signal }) => {
    if (isStopped) return {};
    begun.resolve();
    const ended = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => ended.resolve(), { once: true });
    await ended.promise;
    return {};
  });
  const id = await stage.begin();
  await begun.promise;
  isStopped = true;
  await stage.hub.dispatch({ type: "stop", loopId: id, reason: "enough" });
  const view = await stage.atRest(id);
  expect(view.phase).toEqual({ status: "stopped", reason: "enough" });
  expect(await stage.state()).toMatchObject({ status: "stopped", history: [{ iteration: 1, result: "partial" }] });
  await stage.hub.dispatch({ type: "start", loopId: id });
  expect((await stage.nextRest(id, view)).phase.status).toBe("completed");
});

test("a stop hook is lifted by whoever starts a task, but not while others have not heeded it", async () => {
  const other = Promise.withResolvers<void>();
  await using stage = await openTaskStage(async ({ step }) => {
    if (step === "slow") await other.promise;
    return {};
  });
  await stage.write("Specs/slow.md", "- [ ] slow\n- [ ] more\n");
  const slow = await stage.begin({}, { file: "/Specs/slow.md" });
  await stage.until(slow, ({ phase }) => phase.status === "running");
  await stage.hub.tellVault(stage.root, { type: "stop", reason: "lunch" });
  expect(stage.run()).rejects.toMatchObject({ code: "vault_stopping" });
  other.resolve();
  const stopped = await stage.atRest(slow);
  expect(stopped.phase.status).toBe("stopped");
  const view = await stage.run();
  expect(view.phase.status).toBe("completed");
  expect((await stage.nextRest(slow, stopped)).phase.status).toBe("completed");
});

test("[T-STATE-2] a state file of another program is refused before anything begins", async () => {
  await using stage = await openTaskStage();
  await stage.write(".state/autonomous_loop_state.json", '{"name": "theirs"}');
  expect(stage.begin()).rejects.toMatchObject({ code: "state_unusable" });
  expect(await stage.hub.list()).toEqual([]);
  expect(await stage.read(".state/autonomous_loop_state.json")).toBe('{"name": "theirs"}');
});

test("a vault, a file and a config that cannot be used are refused before there is a loop", async () => {
  await using stage = await openTaskStage();
  expect(stage.begin({}, { file: "Specs/none.md" })).rejects.toMatchObject({ code: "task_file_unusable" });
  expect(stage.begin({ directory: stage.folder })).rejects.toMatchObject({ code: "vault_unusable" });
  await stage.configure("  max_iteration: 3");
  expect(stage.begin()).rejects.toMatchObject({
    code: "config_invalid",
    data: { issues: [{ line: 4, column: 3 }] },
  });
  expect(await stage.hub.list()).toEqual([]);
});

test("a task tells where it stands: its file, steps, counters, and what it asks", async () => {
  await using stage = await openTaskStage(({ iteration }) => (iteration === 1 ? {} : failing()), {
    config: "  failure_threshold: 1",
  });
  const { id } = await stage.run();
  const detail = await stage.hub.task(id);
  expect(detail).toMatchObject({
    vault: stage.root,
    file: "/Specs/auth/tasks.md",
    place: "open",
    title: "Three steps",
    working: null,
    counters: { iterations: 2, consecutive_failures: 1, failure_threshold: 1, total_successes: 1 },
    history: [
      { iteration: 1, result: "success", step: "One" },
      { iteration: 2, result: "failure", step: "Two", error: "no key" },
    ],
    handOff: { kind: "error_report", answer: null, choices: ["retry", "skip_step", "complete", "reject"] },
    timeoutAt: null,
  });
  expect(detail.steps.map(({ key, done }) => [key, done])).toEqual([
    ["One", true],
    ["Two", false],
    ["Three", false],
  ]);
  expect(detail.handOff?.text).toContain("What happened");
  const board = await stage.hub.vault(join(stage.root, "Specs"));
  expect(board.open).toMatchObject([
    { path: "/Specs/auth/tasks.md", steps: { done: 1, all: 3 }, loop: { id, status: "failed", iterations: 2 } },
  ]);
  expect(board.needsAction).toMatchObject([{ loop: { id, title: "Three steps" } }]);
  const [row] = await stage.hub.list();
  expect(row?.config).toMatchObject({ strategy: "task", file: "/Specs/auth/tasks.md", maxIterations: 100 });
  expect(row?.state.handOff).toBe(detail.handOff?.path ?? "");
  expect(stage.hub.task((await stage.create(stage.root, { git: { enabled: false } })).id)).rejects.toMatchObject({
    code: "not_task",
  });
});

test("a loop that is deleted leaves no question and no state behind, and its task can be taken up anew", async () => {
  let works = false;
  await using stage = await openTaskStage(() => (works ? {} : failing()), { config: "  failure_threshold: 1" });
  const view = await stage.run();
  expect(stage.begin()).rejects.toMatchObject({ code: "task_taken" });
  await stage.hub.dispatch({ type: "delete", loopId: view.id });
  expect((await stage.handOff()).text).toContain("Its loop was deleted or discarded.");
  expect(await stage.names(".state")).toEqual(["history"]);
  works = true;
  expect((await stage.run()).phase.status).toBe("completed");
  expect(await stage.names(".state/history")).toHaveLength(2);
});

test("an answer that was ticked while nobody looked counts when the task is started by hand", async () => {
  await using stage = await openTaskStage(failing, { config: "  failure_threshold: 1" });
  const { id } = await stage.run();
  await stage.hub[Symbol.asyncDispose]();
  await stage.tickChoice("skip_step");
  await using later = openLab({ folder: stage.folder, runs: "adopted" });
  const view = await later.hub.dispatch({ type: "start", loopId: id });
  expect(view?.task).toMatchObject({ skip: "One", handOff: { answer: "skip_step" } });
});

test("two ticked boxes are no answer", async () => {
  await using stage = await openTaskStage(failing, { config: "  failure_threshold: 1" });
  const view = await stage.run();
  await stage.tickChoice("retry");
  await stage.tickChoice("reject");
  while (!(await stage.read("Logs/autonomous_loop.log")).includes("several boxes are ticked")) await Bun.sleep(10);
  expect(stage.hub.dispatch({ type: "start", loopId: view.id })).rejects.toMatchObject({ code: "invalid_input" });
  expect((await stage.hub.require(view.id)).seq).toBe(view.seq);
});

test("a question that is answered and stopped at once is asked anew, and the old answer does not count again", async () => {
  let turns = 0;
  await using stage = await openTaskStage(
    () => {
      turns++;
      return failing();
    },
    { config: "  failure_threshold: 1", runs: "adopted" },
  );
  const id = await stage.begin();
  stage.hub.adopt(id);
  const view = await stage.atRest(id);
  await stage.hub[Symbol.asyncDispose]();
  await stage.tickChoice("retry");
  await using later = openLab({ folder: stage.folder, runs: "adopted" });
  await later.hub.dispatch({ type: "start", loopId: id });
  await later.hub.dispatch({ type: "stop", loopId: id, reason: "no" });
  later.hub.adopt(id);
  const stopped = await later.atRest(id);
  expect(stopped.phase.status).toBe("stopped");
  expect(turns).toBe(view.iteration);
  const asked = await stage.names("Needs_Action");
  const texts = await Promise.all(asked.map((name) => stage.read(`Needs_Action/${name}`)));
  expect(texts.filter((text) => text.includes("status: open"))).toHaveLength(1);
  expect(stopped.task?.handOff?.answer).toBeNull();
});

test("a task that another data folder works on is refused", async () => {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  await using stage = await openTaskStage(async () => {
    begun.resolve();
    await end.promise;
    return {};
  });
  const id = await stage.begin();
  await begun.promise;
  const elsewhere = openLab({ folder: join(stage.folder, "other") });
  const strategy = { type: "task", file: "/Specs/auth/tasks.md" };
  expect(
    elsewhere.create(stage.root, { name: undefined, prompt: undefined, strategy, start: {} }),
  ).rejects.toMatchObject({ code: "state_unusable" });
  end.resolve();
  await stage.atRest(id);
  await elsewhere[Symbol.asyncDispose]();
});
