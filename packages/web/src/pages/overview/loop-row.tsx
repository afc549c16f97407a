import type { LoopSummary } from "@ralpher/contract";
import { memo } from "react";
import { Link } from "wouter";
import { ActionButton } from "../../act/action-button.tsx";
import { useNow } from "../../feed/clock.ts";
import { Ago } from "../../parts/ago.tsx";
import { Spark } from "../../parts/spark.tsx";
import { StateMark } from "../../parts/state-mark.tsx";
import { actionsFor } from "../../words/actions.ts";
import { exactUsage, formatCost, formatCount, tokensOf, unknown } from "../../words/count.ts";
import { exactTime, formatUntil } from "../../words/time.ts";

/** One loop's line. The whole line opens the loop; its actions lie above that. */
export const LoopRow = memo(function LoopRow({ loop }: { loop: LoopSummary }) {
  const { config, state } = loop;
  const target = { id: config.id, name: config.name };
  const actions = actionsFor(state.status, { asked: state.asked, mergeable: state.mergeable });
  const best = actions[0];
  const stop = actions.find(({ name }) => name === "stop");
  const tokens = tokensOf(state.usage);
  const count = (
    <span
      className="figure"
      title={config.maxIterations === undefined ? "Iterations, without a limit" : "Iterations of the limit"}
    >
      {state.currentIteration}
      <span className="text-soft">{config.maxIterations === undefined ? "" : ` / ${config.maxIterations}`}</span>
    </span>
  );
  return (
    <li className="loop-row offscreen-cheap relative border-b border-line transition-colors duration-100 last:border-b-0 hover:bg-panel has-[a:focus-visible]:bg-panel">
      <div className="state flex items-center gap-2 overflow-hidden">
        <StateMark status={state.status} asked={state.asked} />
        <span className="narrow text-small text-soft">
          {count}
          <Ago at={state.lastActivityAt ?? config.createdAt} />
        </span>
      </div>
      <div className="name flex min-w-0">
        <Link
          href={`/${config.id}`}
          data-loop={config.id}
          title={config.name}
          className="truncate font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-run"
        >
          {config.name}
        </Link>
      </div>
      <p className="said min-w-0 truncate text-soft" title={state.lastText}>
        <Said loop={loop} />
      </p>
      <div className="spark wide">
        <Spark outcomes={state.outcomes} open={state.status === "running"} />
      </div>
      <div className="count wide text-right">{count}</div>
      <div className="usage wide figure text-right" title={exactUsage(state.usage)}>
        {tokens === null ? unknown : formatCount(tokens)} <span className="text-soft">tok</span>
        <span className="inline-block w-[4em] text-soft">{formatCost(state.usage.costUsd)}</span>
      </div>
      <div className="when wide text-right text-small text-soft">
        <Ago at={state.lastActivityAt ?? config.createdAt} />
      </div>
      <div className="actions relative z-10 flex justify-end gap-1">
        {best !== undefined && best.name !== "delete" && (
          <ActionButton target={target} action={best} className="max-sm:px-2.5" />
        )}
        {stop !== undefined && stop !== best && <ActionButton target={target} action={stop} look="quiet" compact />}
      </div>
    </li>
  );
});

/** Why it waits or ended, when that is what one wants to know; else what the agent said last. */
function Said({ loop: { config, state } }: { loop: LoopSummary }) {
  if (state.status === "waiting" && state.waitingUntil !== undefined) {
    return <WaitsUntil until={state.waitingUntil} reason={state.reason} />;
  }
  if ((state.status === "failed" || state.status === "stuck") && state.reason !== undefined) return state.reason;
  return state.lastText ?? <span className="figure">{config.directory}</span>;
}

function WaitsUntil({ until, reason }: { until: string; reason: string | undefined }) {
  const at = Date.parse(until);
  const now = useNow(1_000);
  return (
    <span title={exactTime(at)}>
      Goes on {formatUntil(at, now)}
      {reason === undefined ? "" : `: ${reason}`}
    </span>
  );
}
