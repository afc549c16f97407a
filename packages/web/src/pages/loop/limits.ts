import type { LoopView } from "@ralpher/contract";

/** How many iterations the loop may have; a task's vault says so, where nobody said otherwise by hand. Undefined: no limit is known. */
export function maxIterationsOf({ config, task }: LoopView): number | undefined {
  return config.maxIterations ?? task?.look?.config.max_iterations;
}
