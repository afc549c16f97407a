import {
  type EventBody,
  type IterationOutcome,
  type LoopView,
  openIteration,
  type TaskHistoryEntry,
  toSecond,
} from "@ralpher/contract";
import type { Performer } from "../execution.ts";

/** Record how the step went, and with it the iteration. */
export const performCloseStep: Performer<"close-step"> = async ({ record, clock }, { iteration, outcome }, view) => {
  const end = stepEnd(view, outcome, clock.now());
  const error = end.flatMap((event) => (event.type === "loop.step.end" ? (event.entry.error ?? []) : []));
  await record([
    ...(outcome === "error" ? error.map((text): EventBody => ({ type: "loop.error", iteration, error: text })) : []),
    ...end,
    { type: "loop.iteration.end", iteration, outcome },
  ]);
};

const results = {
  continue: "success",
  complete: "success",
  partial: "partial",
  error: "failure",
  interrupted: "partial",
  stuck: "partial",
} as const satisfies Record<IterationOutcome, TaskHistoryEntry["result"]>;

/** The step under way as the state file tells it; nothing when there is none. `fault`: what ended it from outside. */
export function stepEnd(view: LoopView, outcome: IterationOutcome, now: Date, fault?: string): EventBody[] {
  const open = openIteration(view);
  const progress = view.task?.open ?? null;
  if (open === null || progress === null) return [];
  const { report, check, step } = progress;
  const failure = open.turn.state === "ended" ? open.turn.failure : null;
  const error =
    fault ??
    (outcome === "interrupted"
      ? "it was interrupted"
      : failure !== null
        ? failure.message
        : check?.passed === false
          ? `the check \`${check.command}\` did not pass: ${check.outcome}`
          : progress.ticked === "missing"
            ? "it could not be ticked: it is no longer in the task's file as it was"
            : outcome === "continue"
              ? undefined
              : (report?.error ?? report?.summary));
  const entry: TaskHistoryEntry = {
    iteration: open.number,
    timestamp: toSecond(now),
    action: report?.action ?? "run_agent",
    // A limited rate is the provider's state, not the work's.
    result: failure?.reason === "rate_limited" ? "partial" : results[outcome],
    ...(error === undefined ? {} : { error }),
    duration_seconds: Math.max(0, Math.round((now.getTime() - Date.parse(open.startedAt)) / 100) / 10),
  };
  return [{ type: "loop.step.end", iteration: open.number, step: step.key, entry }];
}
