import type { LoopId, LoopSummary } from "@ralpher/contract";
import { useState } from "react";
import { type Doing, doingOf } from "../../feed/loops-state.ts";
import { type BandName, bandTitles } from "../../words/bands.ts";
import { LoopRow } from "./loop-row.tsx";

/** So many lines show at first; what is at rest and done with is less wanted. */
const firstShown: Record<BandName, number> = { "needs-you": 30, running: 40, lately: 10, idle: 15 };
const moreShown = 100;

/** A band of the overview: its title, how many, and their lines. Nothing when there are none. */
export function Band({
  name,
  loops,
  doing,
}: {
  name: BandName;
  loops: LoopSummary[];
  doing: ReadonlyMap<LoopId, Doing>;
}) {
  const [most, setMost] = useState(firstShown[name]);
  if (loops.length === 0) return null;
  const shown = loops.slice(0, most);
  const rest = loops.length - shown.length;
  return (
    <section id={name} aria-labelledby={`${name}-title`} className="scroll-mt-4 pt-5">
      <h2 id={`${name}-title`} className="flex items-baseline gap-2 px-4 pb-1.5 font-semibold">
        {bandTitles[name]}
        <span className={`figure ${name === "needs-you" ? "font-semibold text-need" : "font-normal text-soft"}`}>
          {loops.length}
        </span>
      </h2>
      <ul className="loop-rows border-y border-line">
        {shown.map((loop) => (
          <LoopRow key={loop.config.id} loop={loop} doing={doingOf(loop, doing.get(loop.config.id))} />
        ))}
      </ul>
      {rest > 0 && (
        <button
          type="button"
          onClick={() => setMost(most + moreShown)}
          className="mt-1 rounded-md px-4 py-1.5 text-small text-soft hover:bg-raise hover:text-ink touch:py-3"
        >
          Show {Math.min(rest, moreShown)} more{rest > moreShown ? ` of ${rest}` : ""}
        </button>
      )}
    </section>
  );
}
