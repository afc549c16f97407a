import Check from "lucide-react/icons/check";
import X from "lucide-react/icons/x";
import { useNow } from "../../../feed/clock.ts";
import { exactUsage, formatCost, formatCount, plural, tokensOf } from "../../../words/count.ts";
import { exactDuration, formatDuration, formatElapsed } from "../../../words/duration.ts";
import type { TimelineCell } from "../../../words/iterations.ts";
import { exactTime, formatClockSeconds } from "../../../words/time.ts";

/** The line an iteration begins with; it stays at the top while its entries pass under it. */
export function IterationHeader({ iteration, cell }: { iteration: number; cell: TimelineCell | undefined }) {
  return (
    <h2 className="flex h-8 items-center gap-x-3 overflow-hidden border-y border-line bg-panel px-4 text-small whitespace-nowrap text-soft lg:px-6">
      <span className="font-semibold text-ink">Iteration {iteration}</span>
      {cell !== undefined && <Facts cell={cell} />}
    </h2>
  );
}

function Facts({ cell }: { cell: TimelineCell }) {
  const { outcome, ended, startedAt, endedAt, tools, commits, usage } = cell;
  const tokens = usage === null ? null : tokensOf(usage);
  return (
    <>
      {cell.open && <span className="font-medium text-run">under way</span>}
      {outcome !== null && (
        <span
          className={`inline-flex items-center gap-1 ${outcome === "error" ? "font-medium text-bad" : outcome === "complete" ? "font-medium text-good" : ""}`}
        >
          {outcome === "error" && <X aria-hidden="true" className="size-3.5" />}
          {outcome === "complete" && <Check aria-hidden="true" className="size-3.5" />}
          {ended}
        </span>
      )}
      {startedAt !== null && <Length startedAt={startedAt} endedAt={endedAt} open={cell.open} />}
      {commits > 0 && <span>{plural(commits, "commit")}</span>}
      {tools !== null && tools > 0 && <span className="max-sm:hidden">{plural(tools, "tool call")}</span>}
      {usage !== null && tokens !== null && (
        <span className="figure max-sm:hidden" title={exactUsage(usage)}>
          {formatCount(tokens)} tok{usage.costUsd === null ? "" : ` ${formatCost(usage.costUsd)}`}
        </span>
      )}
      {startedAt !== null && (
        <time
          dateTime={new Date(startedAt).toISOString()}
          title={exactTime(startedAt)}
          className="figure ml-auto max-sm:hidden"
        >
          {formatClockSeconds(startedAt)}
        </time>
      )}
    </>
  );
}

function Length({ startedAt, endedAt, open }: { startedAt: number; endedAt: number | null; open: boolean }) {
  if (endedAt !== null) {
    return (
      <span className="figure" title={exactDuration(endedAt - startedAt)}>
        {formatDuration(endedAt - startedAt)}
      </span>
    );
  }
  return open ? <Running since={startedAt} /> : null;
}

function Running({ since }: { since: number }) {
  return <span className="figure">{formatElapsed(useNow(1_000) - since)}</span>;
}
