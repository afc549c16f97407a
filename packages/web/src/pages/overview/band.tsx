import type { LoopSummary } from "@ralpher/contract";
import { useState } from "react";
import { type BandName, bandTitles } from "../../words/bands.ts";
import { LoopRow } from "./loop-row.tsx";

/** Of loops at rest so many show at first; those that want something, or run, always all show. */
const firstShown = 15;

/** A band of the overview: its title, how many, and their lines. Nothing when there are none. */
export function Band({ name, loops }: { name: BandName; loops: LoopSummary[] }) {
  const [all, setAll] = useState(false);
  if (loops.length === 0) return null;
  const folds = !all && (name === "idle" || name === "lately") && loops.length > firstShown;
  const shown = folds ? loops.slice(0, firstShown) : loops;
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
          <LoopRow key={loop.config.id} loop={loop} />
        ))}
      </ul>
      {folds && (
        <button
          type="button"
          onClick={() => setAll(true)}
          className="mt-1 rounded-md px-4 py-1.5 text-small text-soft hover:bg-raise hover:text-ink touch:py-3"
        >
          Show {loops.length - firstShown} more
        </button>
      )}
    </section>
  );
}
