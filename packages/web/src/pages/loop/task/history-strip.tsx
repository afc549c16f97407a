import type { StepResult, TaskDetail } from "@ralpher/contract";
import Check from "lucide-react/icons/check";
import CircleDashed from "lucide-react/icons/circle-dashed";
import X from "lucide-react/icons/x";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { firstLine } from "../../../words/cut.ts";
import { formatDuration } from "../../../words/duration.ts";
import { Ticked } from "../soda/ticked.tsx";

type Entry = TaskDetail["history"][number];

const glyphs = { success: Check, failure: X, partial: CircleDashed };
const looks: Record<StepResult, string> = {
  success: "bg-good-tint text-good",
  failure: "bg-bad-tint text-bad",
  partial: "bg-raise text-soft",
};
const words: Record<StepResult, string> = { success: "done", failure: "failed", partial: "partly done" };

const leastPx = 18;
const mostPx = 56;

/** The width of a mark: by the logarithm of how long it took, so that one long night hides nothing. */
function widthOf({ duration_seconds }: Entry, longest: number): number {
  return leastPx + (mostPx - leastPx) * (Math.log1p(duration_seconds) / Math.log1p(Math.max(longest, 1)));
}

const durationOf = ({ duration_seconds }: Entry) => formatDuration(duration_seconds * 1_000);

/** The iterations in a row, one mark each; what one was about stands below while it is looked at. A press leads to its log. */
export function HistoryStrip({
  history,
  live,
  onIteration,
}: {
  history: Entry[];
  /** The iteration under way. */
  live: number | null;
  onIteration: (iteration: number) => void;
}) {
  const [looked, setLooked] = useState<number | null>(null);
  const strip = useRef<HTMLDivElement>(null);
  const last = history.at(-1);
  const shown = history.find(({ iteration }) => iteration === looked) ?? last;
  const longest = Math.max(1, ...history.map(({ duration_seconds }) => duration_seconds));
  const count = history.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest are in sight
  useEffect(() => {
    if (strip.current !== null) strip.current.scrollTop = strip.current.scrollHeight;
  }, [count]);
  if (last === undefined || shown === undefined) {
    return (
      <p className="text-soft">{live === null ? "Nothing was tried yet." : "The first iteration is under way."}</p>
    );
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const marks = [...(strip.current?.querySelectorAll("button") ?? [])];
    const next = by === undefined ? undefined : marks[marks.indexOf(event.target as HTMLButtonElement) + by];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };
  const { error } = shown;
  return (
    <div onPointerLeave={() => setLooked(null)}>
      <div
        ref={strip}
        role="toolbar"
        aria-label="Iterations of the task"
        onKeyDown={onKeyDown}
        className="flex max-h-32 flex-wrap gap-1 overflow-y-auto p-0.5"
      >
        {history.map((entry) => {
          const Glyph = glyphs[entry.result];
          return (
            <button
              key={entry.iteration}
              type="button"
              aria-label={`Iteration ${entry.iteration}, ${entry.step}: ${entry.action}, ${words[entry.result]}, ${durationOf(entry)}${entry.error === undefined ? "" : `, ${firstLine(entry.error)}`}`}
              tabIndex={entry === shown ? 0 : -1}
              onFocus={() => setLooked(entry.iteration)}
              onPointerEnter={() => setLooked(entry.iteration)}
              onClick={() => onIteration(entry.iteration)}
              style={{ width: widthOf(entry, longest) }}
              className={`flex h-6 items-center justify-center rounded-sm touch:h-9 touch:min-w-9 ${looks[entry.result]} ${entry === shown && looked !== null ? "ring-1 ring-current" : ""}`}
            >
              <Glyph aria-hidden="true" className="size-3.5" />
            </button>
          );
        })}
        {live !== null && (
          <span
            role="img"
            aria-label={`Iteration ${live} is under way`}
            className="h-6 w-6 animate-breathe rounded-sm border border-run touch:h-9"
          />
        )}
      </div>
      <p className="mt-1 line-clamp-3 min-h-8 text-small text-soft">
        <span className="text-ink">Iteration {shown.iteration}</span> {words[shown.result]} in {durationOf(shown)}:{" "}
        <Ticked text={shown.step} />
        <span className="figure"> ({shown.action})</span>
        {error !== undefined && (
          <span className={shown.result === "failure" ? "text-bad" : ""}>
            {" "}
            <Ticked text={firstLine(error)} />
          </span>
        )}
      </p>
    </div>
  );
}
