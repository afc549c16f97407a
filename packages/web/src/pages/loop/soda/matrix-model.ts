import type { CriterionVerdict, SodaIteration } from "@ralpher/contract";

/** One criterion over the iterations; null where it was not judged. */
export interface MatrixRow {
  key: string;
  /** In the words of the newest iteration that judged it. */
  criterion: string;
  cells: (CriterionVerdict | null)[];
  /** The newest judgement does not have it any more. */
  gone: boolean;
}

/** Criteria × iterations: columns oldest first, only those in which something was judged. */
export interface Matrix {
  iterations: number[];
  rows: MatrixRow[];
}

/**
 * Put the judgements of all iterations side by side. A criterion is the same one when its words are, white space and
 * case aside; the rows are in the order of the newest judgement, what it lacks comes last.
 */
export function matrixOf(iterations: readonly SodaIteration[]): Matrix {
  const judged = iterations.flatMap(({ iteration, orientation }) =>
    orientation === null ? [] : [{ iteration, verdicts: keyed(orientation.criteria) }],
  );
  const rows = new Map<string, MatrixRow>();
  for (const [index, { verdicts }] of [...judged.entries()].reverse()) {
    const isNewest = index === judged.length - 1;
    for (const [key, verdict] of verdicts) {
      const row = rows.get(key) ?? {
        key,
        criterion: verdict.criterion,
        cells: judged.map(() => null),
        gone: !isNewest,
      };
      row.cells[index] = verdict;
      rows.set(key, row);
    }
  }
  return { iterations: judged.map(({ iteration }) => iteration), rows: [...rows.values()] };
}

/** Of the newest judgement the first that is not satisfied, else the first; null when there is none. */
export function worstOf({ iterations, rows }: Matrix): { row: number; column: number } | null {
  if (rows.length === 0) return null;
  const column = iterations.length - 1;
  const of = (verdict: CriterionVerdict["satisfied"]) =>
    rows.findIndex(({ cells }) => cells[column]?.satisfied === verdict);
  return { row: [of(false), of("unverifiable")].find((row) => row >= 0) ?? 0, column };
}

/** Verdicts by the words of their criteria; words that come again are told apart by their place. */
function keyed(criteria: readonly CriterionVerdict[]): Map<string, CriterionVerdict> {
  const found = new Map<string, CriterionVerdict>();
  for (const verdict of criteria) {
    const words = verdict.criterion.replace(/\s+/g, " ").trim().toLowerCase();
    let key = words;
    for (let n = 2; found.has(key); n++) key = `${words} #${n}`;
    found.set(key, verdict);
  }
  return found;
}

/** How many of a judgement's criteria are satisfied, not, and not to be found out. */
export function countsOf(criteria: readonly CriterionVerdict[]): { yes: number; no: number; unverifiable: number } {
  const count = (verdict: CriterionVerdict["satisfied"]) =>
    criteria.filter(({ satisfied }) => satisfied === verdict).length;
  return { yes: count(true), no: count(false), unverifiable: count("unverifiable") };
}
