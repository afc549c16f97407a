import type { Usage } from "@ralpher/contract";
import { type Totals, usageBetween } from "./usage.ts";

/**
 * What a session has used. Claude Code tells sums only: over all turns of a process, and over its former processes as far
 * as those could write down theirs before they ended.
 */
export interface Ledger {
  /** A turn has ended with these sums. Returns what the turn itself used; null when that cannot be told. */
  enter(totals: Totals): Usage | null;
  /** A process ended without writing down its sums: nobody knows what those of the next one begin with. */
  lose(): void;
  /** What may still be spent of so much, in US dollars; 0 when nothing is left. */
  left(limitUsd: number | undefined): number | undefined;
}

export function createLedger(): Ledger {
  let newest: Totals | null = {};
  let spentUsd = 0;
  return {
    enter(totals) {
      const used = newest === null ? null : usageBetween(newest, totals);
      newest = totals;
      const totalUsd = Object.values(totals).reduce((sum, { costUSD }) => sum + costUSD, 0);
      spentUsd = Math.max(spentUsd + (used?.costUsd ?? 0), totalUsd);
      return used;
    },
    lose() {
      newest = null;
    },
    left: (limitUsd) => (limitUsd === undefined ? undefined : Math.max(0, limitUsd - spentUsd)),
  };
}
