import type { IterationOutcome, LoopSummary } from "@ralpher/contract";
import { plural } from "../words/count.ts";

const bars = 20;
const pitch = 4;
const height = 18;
/** The line the bars stand on. */
const base = 16;

const fills: Record<IterationOutcome, string> = {
  continue: "fill-faint",
  partial: "fill-edge",
  complete: "fill-good",
  // Hollow, so that colour is not all that tells.
  error: "fill-none stroke-bad",
  interrupted: "fill-edge",
  stuck: "fill-need",
};

/** From about here on, twice the duration is no longer twice the height. */
const bendMs = 20_000;

/** Height of a bar above its base, 0.14 to 1: by the logarithm of the duration, so that one long night hides nothing. */
export function barHeight(durationMs: number, longestMs: number): number {
  return Math.max(0.14, Math.log1p(durationMs / bendMs) / Math.log1p(Math.max(longestMs, 1) / bendMs));
}

/** The newest iterations as bars: colour by outcome, height by duration. `open`: one more is under way. */
export function Spark({ outcomes, open }: { outcomes: LoopSummary["state"]["outcomes"]; open: boolean }) {
  const shown = outcomes.slice(open ? 1 - bars : -bars);
  const longest = Math.max(...shown.map(([, duration]) => duration), 1);
  const failed = shown.filter(([outcome]) => outcome === "error").length;
  const label =
    shown.length === 0 ? "No iterations yet" : `Newest ${plural(shown.length, "iteration")}, ${failed} failed`;
  return (
    <svg role="img" aria-label={label} width={bars * pitch} height={height} className="block shrink-0">
      {shown.map(([outcome, duration], index) => {
        const tall = barHeight(duration, longest) * base;
        const x = (bars - shown.length - (open ? 1 : 0) + index) * pitch;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar has no identity but its place
          <g key={index} className={fills[outcome]}>
            {outcome === "error" ? (
              <rect x={x + 0.5} y={base - tall + 0.5} width={2} height={tall - 1} rx={0.5} />
            ) : (
              <rect x={x} y={base - tall} width={3} height={tall} rx={0.75} />
            )}
          </g>
        );
      })}
      {open && (
        <rect x={(bars - 1) * pitch} y={base - 6} width={3} height={6} rx={0.75} className="animate-breathe fill-run" />
      )}
    </svg>
  );
}
