import type { Repeat, SodaLine } from "@ralpher/contract";

/**
 * What came back without progress: a criterion that was found wanting twice, a test that work made fail twice, an intent
 * that was had twice, and no task completed from the first time on. Newest last in `history`.
 */
export function findRepeats(history: SodaLine[]): Repeat[] {
  const barren = sinceProgress(history);
  return [
    ...counted(
      "criterion",
      barren.map(({ unsatisfied }) => unsatisfied),
    ),
    ...counted(
      "test",
      barren.map(({ regressed }) => regressed),
    ),
    ...counted(
      "intent",
      barren.map(({ intent }) => (intent === null ? [] : [intent])),
    ),
  ];
}

/** The newest iterations that worked and completed no task; to wait for a human is no lack of progress. */
function sinceProgress(history: SodaLine[]): SodaLine[] {
  const worked = history.filter(({ decision }) => decision === "CONTINUE");
  return worked.slice(worked.findLastIndex(({ completed }) => completed > 0) + 1);
}

function counted(kind: Repeat["kind"], lists: string[][]): Repeat[] {
  const seen = new Map<string, { what: string; times: number }>();
  for (const list of lists) {
    for (const what of new Map(list.map((text) => [keyOf(text), text])).values()) {
      const known = seen.get(keyOf(what));
      seen.set(keyOf(what), { what, times: (known?.times ?? 0) + 1 });
    }
  }
  return [...seen.values()].filter(({ times }) => times > 1).map((one) => ({ kind, ...one }));
}

/** The same words, however they are spaced and capitalised. */
export function keyOf(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ").trim();
}
