import { type EndStatus, type LoopView, reachedWords } from "@ralpher/contract";
import { failurePolicy } from "./failure-policy.ts";

export interface Ending {
  as: EndStatus;
  reason: string;
}

/** Reasons to end, first match wins. Looked at between iterations, the same for strategies that promise or judge. */
export const stopConditions: ((view: LoopView) => Ending | null)[] = [
  // Whoever promised did not know what a human said meanwhile: one more iteration hears it.
  ({ lastEnd, said, soda, task }) =>
    lastEnd?.outcome === "complete" && said.length === 0
      ? { as: "completed", reason: reachedWords({ soda, task }) }
      : null,

  // Words that came meanwhile may be what it was stuck for.
  ({ lastEnd, said, soda }) =>
    lastEnd?.outcome === "stuck" && said.length === 0
      ? { as: "stuck", reason: soda?.history.at(-1)?.reason ?? "it needs a human" }
      : null,

  ({ lastEnd }) =>
    lastEnd?.failure && failurePolicy[lastEnd.failure.reason] === "stop"
      ? { as: "failed", reason: lastEnd.failure.message }
      : null,

  ({ failures, config, lastEnd }) =>
    failures >= config.failureThreshold
      ? {
          as: "failed",
          reason:
            failures === 1
              ? `an iteration failed: ${lastEnd?.failure?.message ?? "unknown"}`
              : `${failures} iterations in a row failed, the last one with: ${lastEnd?.failure?.message ?? "unknown"}`,
        }
      : null,

  ({ iteration, config }) =>
    config.maxIterations !== undefined && iteration >= config.maxIterations
      ? {
          // SODA has a human look at what remains (L-LIM-1).
          as: config.strategy.type === "soda" ? "stuck" : "max_iterations",
          reason:
            config.maxIterations === 1
              ? "its one iteration was used"
              : `all ${config.maxIterations} iterations were used`,
        }
      : null,
];

export function findEnding(view: LoopView): Ending | null {
  for (const condition of stopConditions) {
    const ending = condition(view);
    if (ending !== null) return ending;
  }
  return null;
}
