import { firstLine, type LoopView, limitsOf } from "@ralpher/contract";
import { type Rest, restUntil } from "../../failure-policy.ts";

/** A task file that cannot be read is looked at so often. */
export const againMs = 5_000;

/** The pause between two iterations; longer after failures, up to the cap (T-ITER-4). */
export function findTaskRest(view: LoopView, now: Date): Rest | null {
  const { lastEnd, task } = view;
  if (task?.look?.unreadable != null && task.lookedAt !== null) {
    const until = new Date(Date.parse(task.lookedAt) + againMs);
    return { until, reason: `${task.look.path}: ${task.look.unreadable}` };
  }
  // A clock that was set back would make the rest as long as the step.
  if (lastEnd === null || !task?.look || now.getTime() < Date.parse(lastEnd.at)) return null;
  const ownRest = { until: new Date(Date.parse(lastEnd.at) + pauseSeconds(view) * 1000), reason: reasonOf(view) };
  // A provider that limits the rate says how long; other failures of an agent are failures like any.
  const limited = lastEnd.failure?.reason === "rate_limited" ? restUntil(view, now) : null;
  const rest = limited !== null && limited.until > ownRest.until ? limited : ownRest;
  return now >= rest.until ? null : rest;
}

function pauseSeconds({ failures, task }: LoopView): number {
  if (!task?.look) return 0;
  const {
    iteration_interval_seconds: interval,
    backoff_on_failure: backsOff,
    backoff_multiplier: multiplier,
    max_backoff_seconds: cap,
  } = task.look.config;
  if (!backsOff || failures === 0) return interval;
  // What fails at once must not be tried without any pause.
  return Math.max(interval, Math.min(Math.max(interval, 1) * multiplier ** failures, cap));
}

function reasonOf(view: LoopView): string {
  const { failures, task } = view;
  if (failures === 0) return "the pause between iterations";
  const error = firstLine(task?.errors.at(-1) ?? "", 200) ?? "unknown";
  return `failed (${failures} of ${limitsOf(view).failureThreshold} in a row): ${error}`;
}
