import type { LoopSummary } from "@ralpher/contract";
import { useNow } from "../../feed/clock.ts";
import { Ago } from "../../parts/ago.tsx";
import { bandOf } from "../../words/bands.ts";
import { formatDuration, formatElapsed } from "../../words/duration.ts";
import { exactTime } from "../../words/time.ts";

/** How long a loop under way has been at it; for the others, when something happened last. */
export function RowTime({ loop: { config, state } }: { loop: LoopSummary }) {
  if (bandOf({ status: state.status }) === "running" && state.startedAt !== undefined)
    return <Elapsed since={state.startedAt} />;
  return <Ago at={state.lastActivityAt ?? config.createdAt} />;
}

function Elapsed({ since }: { since: string }) {
  const start = Date.parse(since);
  const now = useNow(1_000);
  const elapsed = Math.max(0, now - start);
  return (
    <span title={`Under way since ${exactTime(start)}`}>
      {elapsed < 60_000 ? formatElapsed(elapsed) : formatDuration(elapsed).replace(/ \d\d s$/, "")}
    </span>
  );
}
