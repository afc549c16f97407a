import type { Decision, Gap, Verdict } from "@ralpher/contract";

export interface Assessed {
  spec_satisfied: Verdict;
  actionable_work_exists: boolean;
  gaps: Pick<Gap, "severity" | "description">[];
  summary: string;
}

/** DECIDE (seed 001): what ORIENT's words mean for the loop. A table over all of them; the same words, the same decision. */
export function decide({ spec_satisfied, actionable_work_exists, gaps, summary }: Assessed): Decision {
  if (spec_satisfied === true) return { outcome: "DONE", summary };
  if (actionable_work_exists) return { outcome: "CONTINUE" };
  return { outcome: "STUCK", reason: reasonOf(gaps, summary) };
}

const weight = { critical: 0, major: 1, minor: 2 };

/** The gaps, worst first; without any, what ORIENT said in all. */
function reasonOf(gaps: Assessed["gaps"], summary: string): string {
  const worst = gaps.toSorted((a, b) => weight[a.severity] - weight[b.severity]);
  return worst.length === 0 ? summary : worst.map(({ description }) => description).join("; ");
}
