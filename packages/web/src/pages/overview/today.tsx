import type { LoopSummary } from "@ralpher/contract";
import { useTotals } from "../../feed/totals-feed.ts";
import { exactUsage, formatCost, formatCount, tokensOf, unknown } from "../../words/count.ts";

/** What was done today, by all loops. Holds its place while the numbers are on their way. */
export function Today({ loops }: { loops: ReadonlyMap<string, LoopSummary> }) {
  const totals = useTotals(loops);
  const tokens = totals === null ? null : tokensOf(totals.usage);
  const count = (n: number | undefined) => (n === undefined ? unknown : formatCount(n));
  return (
    <dl
      aria-label="Today"
      className="flex flex-wrap items-baseline gap-x-5 gap-y-0.5"
      title={totals === null ? undefined : `Since midnight: ${exactUsage(totals.usage)}`}
    >
      <div className="text-soft">
        <dt className="sr-only">Day</dt>
        <dd>Today</dd>
      </div>
      <Sum value={count(totals?.loops)} word={totals?.loops === 1 ? "loop" : "loops"} />
      <Sum value={count(totals?.iterations)} word={totals?.iterations === 1 ? "iteration" : "iterations"} />
      <Sum value={count(totals?.commits)} word={totals?.commits === 1 ? "commit" : "commits"} />
      <Sum value={tokens === null ? unknown : formatCount(tokens)} word="tokens" />
      <Sum value={totals === null ? unknown : formatCost(totals.usage.costUsd)} word="spent" />
    </dl>
  );
}

function Sum({ value, word }: { value: string; word: string }) {
  return (
    <div className="flex items-baseline gap-1.5">
      <dt className="order-2 text-soft">{word}</dt>
      <dd className="figure order-1 font-semibold">{value}</dd>
    </div>
  );
}
