import type { LoopSummary, Totals } from "@ralpher/contract";
import { useEffect, useRef, useState } from "react";
import { dayStart } from "../words/today.ts";
import { client, read } from "./api.ts";
import { useNow } from "./clock.ts";

/** The sums are read at most so often: numbers that flicker cannot be read. */
const everyMs = 3_000;

/** What all loops did today, kept up to date; null until it is known. */
export function useTotals(loops: ReadonlyMap<string, LoopSummary>): Totals | null {
  const [totals, setTotals] = useState<Totals | null>(null);
  const since = dayStart(useNow(60_000));
  const reading = useRef<{ timer: ReturnType<typeof setTimeout> | undefined; at: number }>({ timer: undefined, at: 0 });
  const latest = useRef(since);
  latest.current = since;
  const progress = progressOf(loops);

  // A change during the wait is read with it; it must not begin the wait again, or busy loops are never summed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when the loops got on, or the day changed
  useEffect(() => {
    const state = reading.current;
    if (state.timer !== undefined) return;
    state.timer = setTimeout(
      () => {
        state.timer = undefined;
        state.at = Date.now();
        const query = { since: new Date(latest.current).toISOString() };
        // Without them the page is whole; they come with the next change.
        read(client.totals.$get({ query })).then(setTotals, () => {});
      },
      Math.max(0, state.at + everyMs - Date.now()),
    );
  }, [since, progress]);
  useEffect(() => {
    const state = reading.current;
    return () => {
      clearTimeout(state.timer);
      state.timer = undefined;
    };
  }, []);
  return totals;
}

/** Changes when an iteration ends, tokens are counted, or a loop comes or goes; and at nothing else. */
export function progressOf(loops: ReadonlyMap<string, LoopSummary>): string {
  let iterations = 0;
  let tokens = 0;
  for (const { state } of loops.values()) {
    iterations += state.currentIteration;
    tokens += state.usage.outputTokens ?? 0;
  }
  return `${loops.size} ${iterations} ${tokens}`;
}
