import { isUnderWay, type LoopView, type StepCheck, type StepReport, type TaskDetail } from "@ralpher/contract";

/** What of a task's detail may be another one after an event: while this text stays, so does the detail. */
export function momentOf({ task, phase, iteration, failures, config }: LoopView): string {
  if (task === null) return "";
  const { look, open, handOff, injection, last, report, isFresh } = task;
  return JSON.stringify([
    phase.status,
    iteration,
    failures,
    config.maxIterations,
    isFresh,
    look && [look.place, look.path, look.counts, look.stopHook?.reason, look.problems.length],
    open && [open.step.key, open.report !== null, open.check?.passed, open.ticked],
    last?.iteration,
    handOff && [handOff.path, handOff.answer],
    injection && [injection.sha, injection.iteration, injection.told],
    report,
  ]);
}

/** What a step is told to be, and why. */
export interface Working {
  key: string;
  report: StepReport | null;
  check: StepCheck | null;
  /** What happens to it now, in words. */
  does: string;
}

/** The step that is worked on now, as far as the loop's own events tell. */
export function workingOf(view: LoopView): Working | null {
  const open = view.task?.open ?? null;
  if (open === null || !isUnderWay(view)) return null;
  const { step, report, check, ticked } = open;
  const does =
    ticked !== null
      ? "is being saved"
      : report === null
        ? "is being worked on"
        : check === null && step.verify !== null && report.result === "success"
          ? "is being checked"
          : "is being closed";
  return { key: step.key, report, check, does };
}

/** After which iteration words are read that are put down now: only every so many are looked for them. */
export function readAfter({ iteration, task }: LoopView): number | null {
  const every = task?.look?.config.check_reinject_every_n_iterations;
  return every === undefined ? null : Math.ceil(iteration / every) * every;
}

/**
 * The steps as the loop counts them: a box that was ticked while the agent worked on something else, or before its check
 * was run, does not make it done (`doubted`).
 */
export function countedSteps(doubted: readonly string[] | undefined, steps: TaskDetail["steps"]): TaskDetail["steps"] {
  if (doubted === undefined || doubted.length === 0) return steps;
  const keys = new Set(doubted);
  return steps.map((step) => (step.done && keys.has(step.key) ? { ...step, done: false } : step));
}

/** Done and all of the steps that have none below them. */
export function countSteps(steps: TaskDetail["steps"]): { done: number; all: number } {
  const own = steps.filter(({ isParent }) => !isParent);
  return { done: own.filter(({ done }) => done).length, all: own.length };
}
