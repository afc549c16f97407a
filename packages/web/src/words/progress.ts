import type { LoopSummary } from "@ralpher/contract";

/** How far a loop is, and of how much; no limit where there is none. */
export interface ProgressMade {
  done: number;
  limit: number | undefined;
  of: "iteration" | "step";
}

/** A task is as far as its steps are, whatever iterations it took; any other loop, as its iterations. */
export function progressOf({ config, state }: LoopSummary): ProgressMade {
  if (config.strategy !== "task") return { done: state.currentIteration, limit: config.maxIterations, of: "iteration" };
  return { done: state.steps?.done ?? 0, limit: state.steps?.all, of: "step" };
}
