import type { EndStatus } from "../loop.ts";

/** The event that records each way of ending. */
export const endStatusOf = {
  "loop.completed": "completed",
  "loop.stopped": "stopped",
  "loop.failed": "failed",
  "loop.max_iterations": "max_iterations",
  "loop.stuck": "stuck",
} as const satisfies Record<string, EndStatus>;
