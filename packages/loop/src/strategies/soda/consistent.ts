import type { CriterionVerdict, Orientation } from "@ralpher/contract";

/**
 * What ORIENT says, as far as it holds together (O-4): a criterion that is satisfied on no evidence is unverifiable; a spec
 * of which a criterion is not satisfied, or was not judged, is not satisfied, whatever the last line says.
 */
export function consistent(orientation: Orientation, spec: string): Orientation {
  const criteria = orientation.criteria.map(onEvidence);
  const judged = { ...orientation, criteria };
  if (orientation.spec_satisfied !== true) return judged;
  const wanting = criteria.find(({ satisfied }) => satisfied !== true);
  if (wanting !== undefined) return { ...judged, spec_satisfied: wanting.satisfied };
  const missing = Math.max(1, countCriteria(spec)) - criteria.length;
  return missing > 0 ? { ...judged, spec_satisfied: "unverifiable" } : judged;
}

function onEvidence(verdict: CriterionVerdict): CriterionVerdict {
  const { satisfied, evidence, note } = verdict;
  if (satisfied !== true || evidence.some((one) => Object.keys(one).length > 0)) return verdict;
  const why = "said to be satisfied, without evidence";
  return { ...verdict, satisfied: "unverifiable", note: note === undefined ? why : `${note} (${why})` };
}

/** So many criteria a spec has at least: its check boxes. */
export function countCriteria(spec: string): number {
  return spec.match(/^\s*(?:[-*+]|\d+[.)])\s+\[[ xX]\]\s+\S/gm)?.length ?? 0;
}

/** Does a spec say in points what it wants? Without, everybody guesses when it is done. */
export function hasPoints(spec: string): boolean {
  return /^\s*(?:[-*+]|\d+[.)])\s+\S/m.test(spec);
}
