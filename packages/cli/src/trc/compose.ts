import type { LineProblem, WorkItems } from "@ralpher/contract";
import { openWorkItems } from "@ralpher/trace";

/** The work items as seen from a folder. The counterpart of ../compose.ts, which would cost `trc` its quick start. */
export function openItems(directory: string, onProblem: (problem: LineProblem) => void): WorkItems {
  return openWorkItems({ directory, onProblem });
}
