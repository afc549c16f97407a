import {
  type LoopView,
  openIteration,
  type SodaIteration,
  type SodaPhase,
  type SodaTaskReport,
} from "@ralpher/contract";

/** `skipped`: the iteration ended without it. `failed`: it ended the iteration. */
export type PhaseState = "done" | "live" | "ahead" | "skipped" | "failed";

export const phaseOrder: SodaPhase[] = ["sense", "orient", "decide", "act"];

/** How far an iteration has come, phase by phase. `live`: it is the one under way. */
export function phasesOf(iteration: SodaIteration, live: boolean): Record<SodaPhase, PhaseState> {
  const { claims, orientation, decision, completedAt } = iteration;
  const acts = decision?.outcome === "CONTINUE";
  const isDone: Record<SodaPhase, boolean> = {
    sense: claims !== null,
    orient: orientation !== null,
    decide: decision !== null,
    act: acts && completedAt !== null && iteration.error === null,
  };
  const at = phaseOrder.find((phase) => !isDone[phase] && (phase !== "act" || acts || decision === null)) ?? null;
  const over = completedAt !== null || !live;
  const stateOf = (phase: SodaPhase): PhaseState => {
    if (isDone[phase]) return "done";
    if (phase === at && over) return iteration.error === null && iteration.outcome !== "error" ? "skipped" : "failed";
    if (phase === at) return "live";
    return over || (phase === "act" && decision !== null) ? "skipped" : "ahead";
  };
  return { sense: stateOf("sense"), orient: stateOf("orient"), decide: stateOf("decide"), act: stateOf("act") };
}

/** What happens to a task of the plan, in a word; `waits`: others come first. */
export type TaskState = "waits" | "works" | "tests" | "saves" | "completed" | "blocked" | "partial" | "left";

/** How a task stands. `live`: its iteration is under way; `working`: an executor works on it now. */
export function taskStateOf(
  task: SodaTaskReport,
  { live, first, working }: { live: boolean; first: boolean; working: boolean },
): TaskState {
  if (task.outcome !== null) return task.outcome;
  if (!live) return "left";
  if (working) return "works";
  if (!first) return "waits";
  if (task.report === null) return "works";
  return task.test === null ? "tests" : "saves";
}

/** The states of an iteration's tasks, in their order. */
export function taskStatesOf({ tasks }: SodaIteration, live: boolean, workingOn: string | null): TaskState[] {
  const first = tasks.findIndex(({ outcome }) => outcome === null);
  return tasks.map((task, index) =>
    taskStateOf(task, { live, first: index === first, working: task.id === workingOn }),
  );
}

/** The work item that an executor works on now. */
export function workedOn(view: LoopView): string | null {
  const turn = openIteration(view)?.turn;
  return turn?.state === "running" && turn.role === "executor" ? turn.taskId : null;
}

/** What of a SODA loop's report may be another one after an event: while this text stays, so does the report. */
export function momentOf({ soda, iteration, phase, commitCount }: LoopView): string {
  if (soda === null) return "";
  const { open, history, spec, root, summary, woken } = soda;
  const tasks = open?.tasks.map((task) => [task.id, task.rounds, task.testedRound, task.saved !== null, task.outcome]);
  const progress = open && [
    open.sensedAt,
    open.orientation !== null,
    open.actionable,
    open.decision?.outcome,
    open.branch?.name,
    open.baseline !== null,
    open.merged !== null,
    tasks,
  ];
  return JSON.stringify([
    iteration,
    phase.status,
    commitCount,
    history.length,
    history.at(-1)?.iteration,
    spec?.sha,
    root?.id,
    summary,
    woken,
    progress,
  ]);
}
