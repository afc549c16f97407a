import { expect, test } from "bun:test";
import { foldAll, type TurnFailure } from "@ralpher/contract";
import fc from "fast-check";
import { openPaperSoda, orientation, type PaperWorld, plan, runSoda, stepSoda } from "../../../test/paper-soda.ts";

const broken: TurnFailure = { reason: "server", message: "it is down" };

test("[L-BOOT-3, L-MILE-5, L-ITER-1, L-ITER-2, L-ITER-3, L-ITER-4, L-ITER-5, L-ITER-6, X-1, X-2] the steps from nothing to DONE, in their order", () => {
  const loop = openPaperSoda();
  const done = runSoda(loop, {
    orient: (iteration) => (iteration === 1 ? { iteration_plan: plan("p-a", "p-b") } : { spec_satisfied: true }),
  });
  expect(done).toEqual([
    ...["bootstrap", "workspace", "milestone"],
    ...["sense", "orient", "plan", "decide", "branch", "test"],
    ...["execute p-a", "test p-a", "commit p-a", "settle p-a"],
    ...["execute p-b", "test p-b", "commit p-b", "settle p-b"],
    ...["merge", "close"],
    ...["sense", "orient", "plan", "decide", "close"],
    "finish",
  ]);
  expect(loop.view.phase.status).toBe("completed");
  expect(loop.view.head).toBe("merged 1");
  expect(loop.view.soda?.history.map(({ decision, completed }) => [decision, completed])).toEqual([
    ["CONTINUE", 2],
    ["DONE", 0],
  ]);
});

test("[L-ITER-7, D-3, L-HUM-1] a spec that no agent can bring on pauses for a human, with the reason", () => {
  const loop = openPaperSoda();
  runSoda(loop, {
    orient: () => ({ actionable_work_exists: false, gaps: [{ severity: "critical", description: "which database?" }] }),
  });
  expect(loop.view.phase).toEqual({ status: "stuck", reason: "which database?" });
});

test("[L-HUM-4, L-HUM-5] an answer to a stuck loop starts it again, and ORIENT hears it once", () => {
  const loop = openPaperSoda();
  const world: PaperWorld = {
    orient: (iteration) => (iteration === 1 ? { actionable_work_exists: false } : { spec_satisfied: iteration === 2 }),
  };
  runSoda(loop, world);
  loop.ask({ type: "say", text: "use PostgreSQL" });
  expect(loop.types.slice(-3)).toEqual(["loop.said", "loop.woken", "loop.starting"]);
  const words = loop.events.findLast(({ type }) => type === "loop.said")?.seq;
  runSoda(loop, world);
  expect(loop.view.phase.status).toBe("completed");
  const told = loop.events.flatMap((event) => (event.type === "loop.turn.start" ? (event.said ?? []) : []));
  expect(told).toEqual([words ?? 0]);
  expect(loop.view.said).toEqual([]);
});

test("[L-LIM-1] a loop that used its iterations is stuck, and no answer alone starts it again", () => {
  const loop = openPaperSoda({ maxIterations: 2 });
  runSoda(loop, { orient: () => ({ iteration_plan: plan("p-a") }) });
  expect(loop.view.iteration).toBe(2);
  expect(loop.view.phase).toEqual({ status: "stuck", reason: "all 2 iterations were used" });
  loop.ask({ type: "say", text: "go on" });
  expect(loop.next()).toBeNull();
});

test("[X-3] what a task made fail is mended by another executor; when none can, it is set aside and the task blocked", () => {
  const loop = openPaperSoda({ maxIterations: 1 });
  const done = runSoda(loop, {
    orient: () => ({ iteration_plan: plan("p-a", "p-b") }),
    regression: (id, round) => ({
      tests: id === "p-a" && round < 2 ? ["adds"] : id === "p-b" ? ["divides"] : [],
      note: null,
    }),
  });
  expect(done.slice(done.indexOf("execute p-a"))).toEqual([
    ...["execute p-a", "test p-a", "execute p-a", "test p-a", "commit p-a", "settle p-a"],
    ...["execute p-b", "test p-b", "execute p-b", "test p-b", "execute p-b", "test p-b", "set-aside p-b", "settle p-b"],
    ...["merge", "close", "finish"],
  ]);
  const ended = loop.events.flatMap((event) => (event.type === "loop.task.end" ? [event] : []));
  expect(ended.map(({ outcome }) => outcome)).toEqual(["completed", "blocked"]);
  expect(ended[1]?.reason).toContain("divides");
});

test("[X-7] a conflict does not stop the loop: the next iteration looks at it", () => {
  const loop = openPaperSoda({ maxIterations: 2 });
  runSoda(loop, {
    orient: () => ({ iteration_plan: plan("p-a") }),
    conflict: (n) => (n === 1 ? ["a.txt"] : undefined),
  });
  expect(loop.events.filter(({ type }) => type === "loop.branch.merged")).toHaveLength(2);
  expect(loop.view.head).toBe("merged 2");
});

test("an agent that fails ends the iteration as an error: what it did is kept aside, what was finished is brought in", () => {
  const loop = openPaperSoda({ failureThreshold: 2 });
  const done = runSoda(loop, {
    orient: () => ({ iteration_plan: plan("p-a", "p-b") }),
    execute: (id) => (id === "p-a" ? {} : broken),
  });
  expect(done.slice(done.indexOf("settle p-a") + 1, done.indexOf("close") + 1)).toEqual([
    "execute p-b",
    "set-aside p-b",
    "settle p-b",
    "merge",
    "close",
  ]);
  expect(loop.view.phase.status).toBe("failed");
  expect(loop.view.iteration).toBe(2);
});

test("[A-OUT-3] an answer that breaks its form halts the loop: nobody is asked again", () => {
  const loop = openPaperSoda();
  runSoda(loop, { orient: () => ({ reason: "output", message: "criteria.0.satisfied: Invalid input" }) });
  expect(loop.view.phase).toEqual({ status: "failed", reason: "criteria.0.satisfied: Invalid input" });
  expect(loop.view.iteration).toBe(1);
});

test("[X-3] a mending agent that fails does not get what tests fail with into the milestone", () => {
  const loop = openPaperSoda({ failureThreshold: 1 });
  const done = runSoda(loop, {
    orient: () => ({ iteration_plan: plan("p-a") }),
    execute: (_, round) => (round === 1 ? {} : broken),
    regression: () => ({ tests: ["adds"], note: null }),
  });
  expect(done.slice(done.indexOf("test p-a"))).toEqual([
    ...["test p-a", "execute p-a", "set-aside p-a", "settle p-a", "merge", "close", "finish"],
  ]);
});

test("[R-RUN-1] a stop in the middle keeps what no test has seen aside, brings in the rest and closes the iteration", () => {
  const loop = openPaperSoda();
  const world: PaperWorld = { orient: () => ({ iteration_plan: plan("p-a", "p-b") }) };
  runSoda(loop, world, (step) => step.do === "commit");
  loop.ask({ type: "stop" });
  expect(runSoda(loop, world)).toEqual(["set-aside p-a", "settle p-a", "merge", "close", "finish"]);
  expect(loop.view.phase.status).toBe("stopped");
});

test("[L-LIM-3] a pause holds between two steps, and what follows goes on from there", () => {
  const loop = openPaperSoda({ maxIterations: 1 });
  const world: PaperWorld = { orient: () => ({ iteration_plan: plan("p-a") }) };
  runSoda(loop, world, (step) => step.do === "test" && step.taskId === "p-a");
  loop.ask({ type: "pause" });
  expect(runSoda(loop, world)).toEqual(["pause"]);
  loop.ask({ type: "resume" });
  expect(runSoda(loop, world)[0]).toBe("test p-a");
});

test("an interrupted turn is taken up again with the next attempt, each role by itself", () => {
  const loop = openPaperSoda({ maxIterations: 1 });
  let orients = 0;
  let works = 0;
  runSoda(loop, {
    orient: () => (loop.next()?.do === "orient" && orients++ < 2 ? "interrupted" : { iteration_plan: plan("p-a") }),
    execute: () => (works++ < 1 ? "interrupted" : {}),
  });
  const attempts = loop.events.flatMap((event) =>
    event.type === "loop.turn.start" ? [`${event.role} ${event.attempt}`] : [],
  );
  expect(attempts).toEqual(["orient 1", "orient 2", "orient 3", "executor 1", "executor 2"]);
});

test("[L-LIM-3] a process that dies after any event leaves what the next one goes on from: the same end", () => {
  const world: PaperWorld = {
    orient: (iteration) => (iteration < 3 ? { iteration_plan: plan(`p-${iteration}`) } : { spec_satisfied: true }),
    regression: (id, round) => ({ tests: id === "p-2" && round === 1 ? ["adds"] : [], note: null }),
  };
  const whole = openPaperSoda();
  runSoda(whole, world);
  // These are recorded together with what follows them, or not at all.
  const halves = new Set(["loop.oriented", "loop.task.reported", "loop.iteration.start", "loop.bootstrapped"]);
  const ends = whole.events.flatMap(({ type }, index) => (index > 0 && !halves.has(type) ? [index + 1] : []));
  fc.assert(
    fc.property(fc.constantFrom(...ends), (count) => {
      const loop = openPaperSoda();
      loop.events.length = 0;
      loop.events.push(...whole.events.slice(0, count));
      const view = foldAll(null, loop.events);
      if (view === null) throw new Error("no loop");
      loop.view = view;
      const turn = view.phase.status === "running" ? view.phase.open.turn.state : null;
      if (turn === "running") {
        loop.happens({ type: "loop.interrupted", iteration: view.iteration, cause: "died", reason: "it died" });
      }
      runSoda(loop, world);
      expect(loop.view.phase.status).toBe("completed");
      expect(loop.view.soda?.history.map(({ completed }) => completed)).toEqual([1, 1, 0]);
    }),
  );
});

test("a view of a loop stays small, however many tasks and criteria it had", () => {
  const loop = openPaperSoda({ maxIterations: 60 });
  const criteria = Array.from({ length: 300 }, (_, n) => ({
    criterion: `criterion ${n} ${"x".repeat(1_000)}`,
    satisfied: false as const,
    evidence: [],
  }));
  runSoda(loop, { orient: () => ({ iteration_plan: plan("p-a", "p-b"), criteria, summary: "s".repeat(50_000) }) });
  expect(JSON.stringify(loop.view).length).toBeLessThan(600_000);
  expect(orientation({}).criteria).toEqual([]);
});

test("words said while it works reach the executor that begins next", () => {
  const loop = openPaperSoda({ maxIterations: 1 });
  const world: PaperWorld = { orient: () => ({ iteration_plan: plan("p-a") }) };
  runSoda(loop, world, (step) => step.do === "execute");
  loop.ask({ type: "say", text: "mind the tabs" });
  const step = stepSoda(loop, world);
  expect(step).toMatchObject({ do: "execute", said: [loop.events.find(({ type }) => type === "loop.said")?.seq] });
  expect(loop.view.said).toEqual([]);
});

test("the prompt of a loop that works off a spec is changed in the spec's file alone", () => {
  const loop = openPaperSoda();
  runSoda(loop, { orient: () => ({ actionable_work_exists: false }) });
  expect(() => loop.ask({ type: "update", changes: { prompt: "something else" } })).toThrow("/tmp/paper/Sodafile");
});
