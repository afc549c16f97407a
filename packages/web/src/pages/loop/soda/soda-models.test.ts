import { describe, expect, test } from "bun:test";
import type { CriterionVerdict, Orientation, SodaIteration, SodaTaskReport, Verdict } from "@ralpher/contract";
import { unknownUsage } from "@ralpher/contract";
import { matrixOf, worstOf } from "./matrix-model.ts";
import { phasesOf, taskStatesOf } from "./phase-model.ts";
import { bySeverity, stuckOf } from "./stuck-model.ts";
import { regressionWords, testWords } from "./test-result.ts";
import { mergeIterations } from "./use-report.ts";

const blank: SodaIteration = {
  iteration: 1,
  seq: 1,
  startedAt: "2026-01-01T00:00:00.000Z",
  completedAt: null,
  outcome: null,
  phase: "sense",
  claims: null,
  orientation: null,
  pattern: null,
  plan: null,
  changes: [],
  refused: [],
  decision: null,
  branch: null,
  baseline: null,
  tasks: [],
  merged: null,
  act: null,
  usage: unknownUsage,
  error: null,
};
const claims = {
  timestamp: "2026-01-01T00:00:00.000Z",
  iteration_number: 1,
  code_state: { error: "x" },
  survey: { error: "x" },
  work_state: { error: "x" },
  project_state: { error: "x" },
  human_input: null,
  learnings: "",
};
const orientation = (...criteria: [string, Verdict][]): Orientation => ({
  summary: "judged",
  criteria: criteria.map(([criterion, satisfied]): CriterionVerdict => ({ criterion, satisfied, evidence: [] })),
  spec_satisfied: false,
  actionable_work_exists: true,
  confidence: 0.5,
  task_updates: [],
  new_tasks: [],
  gaps: [],
  iteration_plan: null,
  learnings: [],
});
const task = (id: string, part: Partial<SodaTaskReport> = {}): SodaTaskReport => ({
  id,
  title: id,
  report: null,
  rounds: 0,
  test: null,
  regression: null,
  setAside: null,
  outcome: null,
  reason: null,
  commits: [],
  ...part,
});
const ended = { completedAt: "2026-01-01T00:01:00.000Z", outcome: "continue" } as const;

describe("[O-4] the criteria by iteration", () => {
  const iterations = [
    { ...blank, iteration: 1, orientation: orientation(["It prints a sum", false], ["It is quick", "unverifiable"]) },
    { ...blank, iteration: 2 },
    { ...blank, iteration: 3, orientation: orientation(["it prints  a\nsum ", true], ["It reads files", false]) },
  ];

  test("a criterion is the same one when its words are, white space and case aside", () => {
    const { rows } = matrixOf(iterations);
    expect(rows[0]?.criterion).toBe("it prints  a\nsum ");
    expect(rows[0]?.cells.map((cell) => cell?.satisfied)).toEqual([false, true]);
  });

  test("rows are in the order of the newest judgement; what it lacks comes last, and is marked", () => {
    const { iterations: columns, rows } = matrixOf(iterations);
    expect(columns).toEqual([1, 3]);
    expect(rows.map(({ gone }) => gone)).toEqual([false, false, true]);
    expect(rows[2]?.cells.map((cell) => cell?.satisfied ?? null)).toEqual(["unverifiable", null]);
  });

  test("the same words twice in one judgement are two rows", () => {
    const twice = { ...blank, orientation: orientation(["Same", true], ["Same", false]) };
    expect(matrixOf([twice]).rows.map(({ cells }) => cells[0]?.satisfied)).toEqual([true, false]);
  });

  test("what one looks at first is the newest criterion that does not hold", () => {
    expect(worstOf(matrixOf(iterations))).toEqual({ row: 1, column: 1 });
    expect(worstOf(matrixOf([]))).toBeNull();
  });
});

describe("the phases of an iteration", () => {
  test("one under way is live in the first phase that has no result", () => {
    expect(phasesOf(blank, true)).toEqual({ sense: "live", orient: "ahead", decide: "ahead", act: "ahead" });
    const sensed = { ...blank, claims };
    expect(phasesOf(sensed, true)).toMatchObject({ sense: "done", orient: "live", decide: "ahead" });
    const acting = { ...sensed, orientation: orientation(), decision: { outcome: "CONTINUE" as const } };
    expect(phasesOf(acting, true)).toEqual({ sense: "done", orient: "done", decide: "done", act: "live" });
    expect(phasesOf({ ...acting, ...ended }, false).act).toBe("done");
  });

  test("one that is stuck or done has left ACT out", () => {
    const decision = { outcome: "STUCK" as const, reason: "no token" };
    const stuck = { ...blank, ...ended, claims, orientation: orientation(), decision };
    expect(phasesOf(stuck, false)).toMatchObject({ decide: "done", act: "skipped" });
    expect(phasesOf({ ...stuck, completedAt: null }, true).act).toBe("skipped");
  });

  test("one that failed shows where", () => {
    const failed = { ...blank, claims, completedAt: ended.completedAt, outcome: "error" as const, error: "no answer" };
    expect(phasesOf(failed, false)).toEqual({ sense: "done", orient: "failed", decide: "skipped", act: "skipped" });
    const inAct = { ...failed, orientation: orientation(), decision: { outcome: "CONTINUE" as const } };
    expect(phasesOf(inAct, false).act).toBe("failed");
  });

  test("a task is worked on, then tested, then saved; those after it wait", () => {
    const report = { outcome: "completed" as const, summary: "did it", new_subtasks: [], learnings: [] };
    const done = task("a", { outcome: "completed" });
    const states = (...tasks: SodaTaskReport[]) => taskStatesOf({ ...blank, tasks }, true, null);
    expect(states(done, task("b"), task("c"))).toEqual(["completed", "works", "waits"]);
    expect(states(task("b", { report }))).toEqual(["tests"]);
    expect(states(task("b", { report, test: { kind: "none" } }))).toEqual(["saves"]);
    expect(taskStatesOf({ ...blank, tasks: [task("b")] }, false, null)).toEqual(["left"]);
    expect(taskStatesOf({ ...blank, tasks: [task("a", { report }), task("b")] }, true, "a")).toEqual([
      "works",
      "waits",
    ]);
  });
});

describe("[D-7] what a stuck loop waits for", () => {
  const work = {
    root: null,
    open: [],
    blocked: [{ id: "x-1", title: "One", reason: "no token" }],
    closed: [],
    comments: [],
    note: null,
  };
  const view = (more: object) =>
    ({ phase: { status: "stuck", reason: "no token" }, config: { maxIterations: 5 }, iteration: 2, ...more }) as never;

  test("the newest gaps, the worst first, and every blocked task with its newest reason", () => {
    const iterations = [
      { ...blank, claims: { ...claims, work_state: work } },
      {
        ...blank,
        iteration: 2,
        claims,
        orientation: {
          ...orientation(),
          gaps: [
            { description: "small", severity: "minor" as const },
            { description: "large", severity: "critical" as const },
          ],
        },
        tasks: [task("x-1", { outcome: "completed" }), task("x-2", { outcome: "blocked", reason: "tests fail" })],
      },
    ];
    const stuck = stuckOf(view({}), iterations);
    expect(stuck?.gaps.map(({ description }) => description)).toEqual(["large", "small"]);
    expect(stuck?.blocked).toEqual([{ id: "x-2", title: "x-2", reason: "tests fail" }]);
    expect(stuck?.atLimit).toBe(false);
    expect(stuckOf(view({}), iterations.slice(0, 1))?.blocked).toEqual(work.blocked);
  });

  test("[L-LIM-1] one that has used its iterations waits for a higher limit, not for an answer", () => {
    expect(stuckOf(view({ iteration: 5 }), [])?.atLimit).toBe(true);
    expect(stuckOf(view({ phase: { status: "idle" } }), [])).toBeNull();
  });

  test("gaps of one severity stay in their order", () => {
    const gaps = ["a", "b"].map((description) => ({ description, severity: "major" as const }));
    expect(bySeverity(gaps)).toEqual(gaps);
  });
});

describe("[X-3] tests against the baseline", () => {
  const ran = {
    kind: "ran" as const,
    command: "t",
    exitCode: 0,
    passed: 3,
    failed: 0,
    failing: [],
    tail: "",
    durationMs: 200,
  };

  test("figures where they are known, else the exit code; a run that took too long says so", () => {
    expect(testWords(ran)).toEqual({ text: "3 passed in 0.2 s", good: true });
    expect(testWords({ ...ran, exitCode: 1, failed: 2 })).toEqual({ text: "3 passed, 2 failed in 0.2 s", good: false });
    expect(testWords({ ...ran, passed: null, failed: null, exitCode: 7 })?.text).toBe("failed (exit code 7) in 0.2 s");
    expect(testWords({ ...ran, exitCode: null })?.good).toBe(false);
    expect(testWords({ kind: "none" })).toBeNull();
  });

  test("what got worse is a sentence; nothing worse is none", () => {
    expect(regressionWords({ tests: ["a"], note: null })).toBe("1 test that passed before fails now");
    expect(regressionWords({ tests: [], note: "The build fails." })).toBe("The build fails.");
    expect(regressionWords({ tests: [], note: null })).toBeNull();
  });
});

test("iterations that are read again take the place of what was known, in order and without repeats", () => {
  const known = [1, 2, 3].map((iteration) => ({ ...blank, iteration }));
  const merged = mergeIterations(
    known,
    [4, 3].map((iteration) => ({ ...blank, iteration, ...ended })),
  );
  expect(merged.map(({ iteration, outcome }) => [iteration, outcome])).toEqual([
    [1, null],
    [2, null],
    [3, "continue"],
    [4, "continue"],
  ]);
});
