import { type LoopView, limitsOf, openStep, reachedWords } from "@ralpher/contract";
import { isHopeless } from "../../failure-policy.ts";
import type { Ending } from "../../stop-conditions.ts";

/** Reasons to end a task, first match wins (T-END-1 to T-END-7). The view's look is fresh. */
export function findTaskEnding(view: LoopView, now: Date): Ending | null {
  const { lastEnd, iteration, failures, task } = view;
  const look = task?.look ?? null;
  if (task === null || look === null) return null;
  const { maxIterations = Number.POSITIVE_INFINITY, failureThreshold } = limitsOf(view);
  if (task.verdict === "complete") return { as: "completed", reason: "a human called it done" };
  if (task.verdict === "reject") return { as: "stopped", reason: "a human called it off" };
  if (look.place === "done") return { as: "completed", reason: `its file is in ${look.config.done_folder}` };
  if (look.place === "rejected") return { as: "stopped", reason: `its file is in ${look.config.rejected_folder}` };
  if (look.place === "gone") return { as: "failed", reason: "its file is nowhere in the vault any more" };
  if (look.isDone || openStep(look) === null) return { as: "completed", reason: reachedWords(view) };
  if (lastEnd?.failure && isHopeless(lastEnd.failure)) return { as: "failed", reason: lastEnd.failure.message };
  if (iteration >= maxIterations) {
    const used = maxIterations === 1 ? "its one iteration was used" : `all ${maxIterations} iterations were used`;
    return { as: "max_iterations", reason: used };
  }
  if (failures >= failureThreshold) {
    const last = task.errors.at(-1) ?? "unknown";
    const reason =
      failures === 1 ? `a step failed: ${last}` : `${failures} steps in a row failed, the last one with: ${last}`;
    return { as: "failed", reason };
  }
  if (look.stopHook !== null)
    return { as: "stopped", reason: `${look.stopHook.path} tells it to: ${look.stopHook.reason}` };
  const overAt = timeoutOf(view);
  if (overAt !== null && now >= overAt) {
    return { as: "stuck", reason: `its ${look.config.timeout_minutes} minutes are over` };
  }
  return null;
}

/** When the time of the run under way is over, if it goes on from its last event without a gap. */
export function timeoutOf({ task, lastActivityAt }: LoopView): Date | null {
  if (!task?.look) return null;
  return new Date(Date.parse(lastActivityAt) + task.look.config.timeout_minutes * 60_000 - task.ranMs);
}
