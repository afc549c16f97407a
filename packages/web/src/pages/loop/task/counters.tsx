import type { LoopView, TaskDetail } from "@ralpher/contract";
import type { ReactNode } from "react";
import { useNow } from "../../../feed/clock.ts";
import { plural, unknown } from "../../../words/count.ts";
import { formatDuration } from "../../../words/duration.ts";
import { exactTime } from "../../../words/time.ts";

/** How much of what it may use a task has used. */
export function Counters({ view, detail }: { view: LoopView; detail: TaskDetail }) {
  const { counters, timeoutAt, history } = detail;
  const { iterations, max_iterations, consecutive_failures, failure_threshold } = counters;
  const partial = history.filter(({ result }) => result === "partial").length;
  return (
    <>
      <dl className="grid grid-cols-3 gap-x-5">
        <Gauge
          name="Iterations"
          title={`${iterations} of ${max_iterations} iterations`}
          part={iterations / max_iterations}
          look={iterations >= max_iterations ? "bg-need" : "bg-faint"}
        >
          {iterations}
          <span className="text-soft"> / {max_iterations}</span>
        </Gauge>
        <Gauge
          name="Failures in a row"
          title={`${consecutive_failures} of ${plural(failure_threshold, "failure")} in a row that end it`}
          part={consecutive_failures / failure_threshold}
          look={consecutive_failures >= failure_threshold ? "bg-bad" : "bg-need"}
        >
          <span className={consecutive_failures >= failure_threshold ? "text-bad" : ""}>{consecutive_failures}</span>
          <span className="text-soft"> / {failure_threshold}</span>
        </Gauge>
        {timeoutAt === null ? (
          <Gauge name="Time left" title="Its time runs while it does" part={0} look="">
            <span className="text-soft">{unknown}</span>
          </Gauge>
        ) : (
          <TimeLeft until={Date.parse(timeoutAt)} minutes={view.task?.look?.config.timeout_minutes ?? null} />
        )}
      </dl>
      <p className="text-small text-soft">
        {plural(counters.total_successes, "success", "successes")}, {plural(counters.total_failures, "failure")}
        {partial === 0 ? "" : `, ${partial} partial`} in all
      </p>
    </>
  );
}

function TimeLeft({ until, minutes }: { until: number; minutes: number | null }) {
  const left = Math.max(0, until - useNow(1_000));
  const all = (minutes ?? 0) * 60_000;
  return (
    <Gauge
      name="Time left"
      title={`It stops at ${exactTime(until)}${minutes === null ? "" : `, ${minutes} minutes after it was started`}`}
      part={all === 0 ? 0 : 1 - left / all}
      look={all > 0 && left < all / 10 ? "bg-need" : "bg-faint"}
    >
      {formatDuration(Math.floor(left / 1_000) * 1_000)}
    </Gauge>
  );
}

function Gauge({
  name,
  title,
  part,
  look,
  children,
}: {
  name: string;
  title: string;
  /** 0 to 1: how much of it is used. */
  part: number;
  look: string;
  children: ReactNode;
}) {
  return (
    <div className="min-w-0" title={title}>
      <dt className="truncate text-small text-soft">{name}</dt>
      <dd>
        <span className="figure flex h-5 items-center whitespace-pre">{children}</span>
        <span aria-hidden="true" className="mt-0.5 block h-0.5 overflow-hidden rounded-full bg-line">
          <span className={`block h-full ${look}`} style={{ width: `${Math.min(1, Math.max(0, part)) * 100}%` }} />
        </span>
      </dd>
    </div>
  );
}
