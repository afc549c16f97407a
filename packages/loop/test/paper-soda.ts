import type { Claims, Orientation, Regression, Step, TaskReport, TestResult, TurnFailure } from "@ralpher/contract";
import { unknownUsage } from "@ralpher/contract";
import { PaperLoop } from "./paper-loop.ts";

/** What the outside world says on paper. */
export interface PaperWorld {
  orient?: (iteration: number) => Partial<Orientation> | TurnFailure | "interrupted";
  execute?: (taskId: string, round: number) => Partial<TaskReport> | TurnFailure | "interrupted";
  regression?: (taskId: string, round: number) => Regression | undefined;
  conflict?: (iteration: number) => string[] | undefined;
}

export const emptyClaims = (iteration: number): Claims => ({
  timestamp: "2026-01-01T00:00:00.000Z",
  iteration_number: iteration,
  code_state: { error: "on paper" },
  survey: { has_code: true, has_tests: true, manifests: ["package.json"], test_command: "bun test" },
  work_state: { error: "on paper" },
  project_state: { error: "on paper" },
  human_input: null,
  learnings: "",
});

const green: TestResult = {
  kind: "ran",
  command: "bun test",
  exitCode: 0,
  passed: 1,
  failed: 0,
  failing: [],
  tail: "",
  durationMs: 1,
};

/** A SODA loop without ports, at the beginning of its first iteration. */
export function openPaperSoda(settings: ConstructorParameters<typeof PaperLoop>[0] = {}): PaperLoop {
  const loop = new PaperLoop({ strategy: { type: "soda", spec: "Sodafile", testTimeoutSeconds: 60 }, ...settings });
  loop.ask({ type: "start" });
  return loop;
}

/** Perform the next step as the world says; the step, or null when the loop rests. */
export function stepSoda(loop: PaperLoop, world: PaperWorld = {}): Step | null {
  const step = loop.next();
  if (step === null) return null;
  const { happens } = { happens: loop.happens.bind(loop) };
  const turnEnd = (iteration: number, failure?: TurnFailure) =>
    happens({
      type: "loop.turn.end",
      iteration,
      promised: false,
      usage: unknownUsage,
      ...(failure ? { failure } : {}),
    });
  switch (step.do) {
    case "bootstrap":
      happens({ type: "loop.bootstrapped", project: { id: "p", home: "/soda/p" }, notes: [] });
      happens({ type: "loop.spec", spec: { path: "/tmp/paper/Sodafile", text: "# Paper", sha: "s", title: "Paper" } });
      return step;
    case "milestone":
      happens({ type: "loop.milestone", root: { id: "p-root", title: "Paper" } });
      return step;
    case "sense": {
      const { iteration } = step;
      happens({ type: "loop.iteration.start", iteration });
      const said = loop.view.said.filter(({ told }) => !told).map(({ seq }) => seq);
      happens({ type: "loop.sensed", iteration, claims: emptyClaims(iteration), said, cursor: "" });
      return step;
    }
    case "orient": {
      const { iteration, attempt, said } = step;
      happens({ type: "loop.turn.start", iteration, attempt, prompt: "judge", role: "orient", said });
      const answer = world.orient?.(iteration) ?? {};
      if (answer === "interrupted") happens({ type: "loop.interrupted", iteration, cause: "asked", reason: "told" });
      else if ("reason" in answer) turnEnd(iteration, answer as TurnFailure);
      else {
        happens({ type: "loop.oriented", iteration, orientation: orientation(answer), pattern: "narrow" });
        turnEnd(iteration);
      }
      return step;
    }
    case "plan": {
      const { iteration } = step;
      const answer = world.orient?.(iteration) ?? {};
      const plan = orientation(typeof answer === "object" && !("reason" in answer) ? answer : {}).iteration_plan;
      const tasks = (plan?.tasks ?? []).map((id) => ({ id, title: `Task ${id}` }));
      happens({
        type: "loop.planned",
        iteration,
        plan: plan === null ? null : { ...plan, tasks },
        actionable: tasks.length > 0,
        changes: [],
        refused: [],
      });
      return step;
    }
    case "decide":
      happens({ type: "loop.decided", iteration: step.iteration, decision: step.decision });
      return step;
    case "branch":
      happens({
        type: "loop.branch.started",
        iteration: step.iteration,
        branch: `soda/iteration-${step.iteration}`,
        base: "b",
      });
      return step;
    case "test": {
      const { iteration, taskId } = step;
      const round = loop.view.soda?.open?.tasks.find(({ id }) => id === taskId)?.rounds ?? 0;
      const regression = taskId === null ? undefined : (world.regression?.(taskId, round) ?? { tests: [], note: null });
      happens({ type: "loop.tested", iteration, taskId, result: green, ...(regression ? { regression } : {}) });
      return step;
    }
    case "execute": {
      const { iteration, attempt, taskId, round, said } = step;
      happens({ type: "loop.turn.start", iteration, attempt, prompt: "work", role: "executor", taskId, said });
      const answer = world.execute?.(taskId, round) ?? {};
      if (answer === "interrupted") happens({ type: "loop.interrupted", iteration, cause: "asked", reason: "told" });
      else if ("reason" in answer) turnEnd(iteration, answer as TurnFailure);
      else {
        const report = {
          outcome: "completed",
          summary: "did it",
          new_subtasks: [],
          learnings: [],
          ...answer,
        } as TaskReport;
        happens({ type: "loop.task.reported", iteration, taskId, report });
        turnEnd(iteration);
      }
      return step;
    }
    case "commit": {
      const { iteration, taskId } = step;
      const branch = loop.view.soda?.open?.branch?.name;
      happens({
        type: "loop.git.saved",
        iteration,
        head: `after ${taskId ?? iteration}`,
        ...(taskId === undefined ? {} : { taskId }),
        ...(branch === undefined ? {} : { branch }),
      });
      return step;
    }
    case "set-aside":
      happens({ type: "loop.set_aside", iteration: step.iteration, taskId: step.taskId, ref: "refs/kept", sha: "k" });
      return step;
    case "settle": {
      const { iteration, taskId, outcome, reason } = step;
      happens({
        type: "loop.task.end",
        iteration,
        taskId,
        outcome,
        changes: [{ id: taskId, title: "", what: "closed", at: "t" }],
        learnings: [],
        ...(reason === null ? {} : { reason }),
      });
      return step;
    }
    case "merge": {
      const { iteration } = step;
      const conflict = world.conflict?.(iteration);
      happens({
        type: "loop.branch.merged",
        iteration,
        branch: `soda/iteration-${iteration}`,
        head: conflict === undefined ? `merged ${iteration}` : null,
        changes: [],
        ...(conflict === undefined ? {} : { conflict }),
      });
      return step;
    }
    default:
      loop.step();
      return step;
  }
}

/** Perform steps until the loop rests, or `until` says so before a step; what was done. */
export function runSoda(
  loop: PaperLoop,
  world: PaperWorld = {},
  until: (step: Step) => boolean = () => false,
): string[] {
  const done: string[] = [];
  for (let n = 0; n < 2_000; n++) {
    const step = loop.next();
    if (step === null || until(step)) return done;
    stepSoda(loop, world);
    done.push("taskId" in step && step.taskId ? `${step.do} ${step.taskId}` : step.do);
  }
  throw new Error("still not at rest");
}

export function orientation(part: Partial<Orientation>): Orientation {
  return {
    summary: "judged",
    criteria: [],
    spec_satisfied: false,
    actionable_work_exists: true,
    confidence: 0.9,
    task_updates: [],
    new_tasks: [],
    gaps: [],
    iteration_plan: null,
    learnings: [],
    ...part,
  };
}

export const plan = (...tasks: string[]): Orientation["iteration_plan"] => ({ intent: "go on", approach: "", tasks });
