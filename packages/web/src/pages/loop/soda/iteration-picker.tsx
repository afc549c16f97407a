import type { SodaIteration } from "@ralpher/contract";
import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import { useNow } from "../../../feed/clock.ts";
import { IconButton } from "../../../parts/button.tsx";
import { inputLook } from "../../../parts/field.tsx";
import { exactUsage, formatCost, formatCount, tokensOf } from "../../../words/count.ts";
import { exactDuration, formatDuration, formatElapsed } from "../../../words/duration.ts";
import { exactTime } from "../../../words/time.ts";

/** Which iteration is on the screen, and the way to the others. */
export function IterationPicker({
  iterations,
  chosen,
  live,
  hasOlder,
  onChoose,
  onOlder,
}: {
  iterations: SodaIteration[];
  chosen: SodaIteration;
  live: boolean;
  hasOlder: boolean;
  onChoose: (iteration: number) => void;
  onOlder: () => void;
}) {
  const at = iterations.indexOf(chosen);
  const [before, after] = [iterations[at - 1], iterations[at + 1]];
  const tokens = tokensOf(chosen.usage);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <h2 className="sr-only">Iteration {chosen.iteration}</h2>
      <div className="flex items-center">
        <IconButton
          name="The iteration before (k)"
          className="-ml-2"
          disabled={before === undefined && !hasOlder}
          onClick={() => (before === undefined ? onOlder() : onChoose(before.iteration))}
        >
          <ChevronLeft />
        </IconButton>
        <select
          aria-label="Iteration"
          value={chosen.iteration}
          onChange={(event) => onChoose(Number(event.target.value))}
          className={`${inputLook} !w-auto font-semibold`}
        >
          {iterations.map(({ iteration }) => (
            <option key={iteration} value={iteration}>
              Iteration {iteration}
            </option>
          ))}
        </select>
        <IconButton
          name="The iteration after (j)"
          disabled={after === undefined}
          onClick={() => after !== undefined && onChoose(after.iteration)}
        >
          <ChevronRight />
        </IconButton>
      </div>
      <p className="flex flex-wrap items-baseline gap-x-3 text-small text-soft">
        <Took iteration={chosen} live={live} />
        {tokens !== null && <span title={exactUsage(chosen.usage)}>{formatCount(tokens)} tokens</span>}
        {chosen.usage.costUsd !== null && (
          <span title={exactUsage(chosen.usage)}>{formatCost(chosen.usage.costUsd)}</span>
        )}
        {hasOlder && (
          <button type="button" onClick={onOlder} className="rounded-sm underline underline-offset-2 hover:text-ink">
            Load older ones
          </button>
        )}
      </p>
    </div>
  );
}

function Took({ iteration: { startedAt, completedAt }, live }: { iteration: SodaIteration; live: boolean }) {
  const now = useNow(1_000);
  const start = Date.parse(startedAt);
  if (completedAt === null && !live) return <span title={exactTime(start)}>put down before its end</span>;
  const ms = Math.max(0, (completedAt === null ? now : Date.parse(completedAt)) - start);
  return (
    <span title={`${exactDuration(ms)}, begun ${exactTime(start)}`} className="tabular-nums">
      {completedAt === null ? `for ${formatElapsed(ms)} now` : `took ${formatDuration(ms)}`}
    </span>
  );
}
