import type { LoopSummary } from "@ralpher/contract";
import ChevronRight from "lucide-react/icons/chevron-right";
import { useNow } from "../../feed/clock.ts";
import type { Doing } from "../../feed/loops-state.ts";
import { capital, lastOfPath, plainWords } from "../../words/cut.ts";
import { exactTime, formatUntil } from "../../words/time.ts";
import { describeTool } from "../../words/tool.ts";

/** What one wants to know of a loop in a line: why it waits, what it does now, what the agent said last. */
export function Said({ loop, doing }: { loop: LoopSummary; doing: Doing | null }) {
  const { config, state } = loop;
  if (state.status === "waiting" && state.waitingUntil !== undefined) {
    return <WaitsUntil until={state.waitingUntil} reason={state.reason} />;
  }
  if (state.handOff !== undefined && state.reason !== undefined) {
    return (
      <p className="truncate" title={`${state.reason} (${state.handOff})`}>
        It asks you how to go on: {plainWords(state.reason)}
      </p>
    );
  }
  if (state.reason !== undefined && (state.status === "failed" || state.status === "stuck")) {
    return (
      <p className="truncate" title={state.reason}>
        {state.status === "stuck" ? `Waiting for you: ${state.reason}` : capital(state.reason)}
      </p>
    );
  }
  const said = plainWords(state.step ?? state.lastText ?? "");
  return (
    <p className="flex min-w-0 items-baseline gap-2 text-soft">
      {doing !== null && <Now doing={doing} />}
      {said === "" ? (
        doing === null && <span className="figure truncate">{config.directory}</span>
      ) : (
        <span className="min-w-0 truncate" title={said}>
          {said}
        </span>
      )}
    </p>
  );
}

function Now({ doing }: { doing: Doing }) {
  const { verb, object, exact } = describeTool(doing.name, doing.input, null);
  return (
    <span className="flex max-w-[70%] min-w-0 shrink-0 items-baseline gap-1 text-ink" title={exact}>
      <ChevronRight aria-hidden="true" className="size-3 shrink-0 self-center text-run" />
      <span className="shrink-0">{verb}</span>
      <span className="figure truncate">{lastOfPath(object)}</span>
    </span>
  );
}

function WaitsUntil({ until, reason }: { until: string; reason: string | undefined }) {
  const at = Date.parse(until);
  const now = useNow(1_000);
  return (
    <p className="truncate text-soft" title={exactTime(at)}>
      Goes on {formatUntil(at, now)}
      {reason === undefined ? "" : `: ${reason}`}
    </p>
  );
}
