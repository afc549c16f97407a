import type { FailureReason } from "@ralpher/contract";

const transient: Record<FailureReason, boolean> = {
  rate_limited: true,
  timeout: true,
  connection: true,
  server: true,
  crashed: true,
  protocol: true,
  unknown: true,
  auth: false,
  model: false,
  missing: false,
  overflow: false,
  aborted: false,
  budget: false,
  output: false,
};

/** Can the same prompt do better when it is tried again, with nothing changed by a human? What is unknown may. */
export const isTransient = (reason: FailureReason): boolean => transient[reason];
