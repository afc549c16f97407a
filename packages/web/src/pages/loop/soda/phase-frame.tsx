import Circle from "lucide-react/icons/circle";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleDot from "lucide-react/icons/circle-dot";
import CircleSlash from "lucide-react/icons/circle-slash";
import CircleX from "lucide-react/icons/circle-x";
import type { ReactNode } from "react";
import type { PhaseState } from "./phase-model.ts";

const glyphs = { done: CircleCheck, live: CircleDot, ahead: Circle, skipped: CircleSlash, failed: CircleX };
const looks: Record<PhaseState, string> = {
  done: "text-good",
  live: "animate-breathe text-run",
  ahead: "text-faint",
  skipped: "text-faint",
  failed: "text-bad",
};
const words: Record<PhaseState, string> = {
  done: "done",
  live: "under way",
  ahead: "not yet",
  skipped: "left out",
  failed: "failed",
};

/** One phase of an iteration: its name, how it stands, and what came of it. */
export function PhaseFrame({
  title,
  state,
  aside,
  last = false,
  children,
}: {
  title: string;
  state: PhaseState;
  /** A few words beside the name. */
  aside?: ReactNode;
  last?: boolean;
  children?: ReactNode;
}) {
  const Glyph = glyphs[state];
  const quiet = state === "ahead" || state === "skipped";
  return (
    <section aria-label={`${title}, ${words[state]}`} className="relative grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3">
      {!last && <span aria-hidden="true" className="absolute top-7 bottom-0 left-[calc(0.5rem-0.5px)] w-px bg-line" />}
      <span className="flex h-6 items-center">
        <Glyph aria-hidden="true" className={`size-4 ${looks[state]}`} />
      </span>
      <div className="min-w-0 pb-5">
        <div className="flex min-h-6 flex-wrap items-baseline gap-x-3">
          <h3 className={`font-semibold ${quiet ? "text-soft" : ""}`}>{title}</h3>
          <span className="text-small text-soft">
            {quiet || state === "failed" ? words[state] : (aside ?? (state === "live" ? words.live : null))}
          </span>
        </div>
        <div className="flex flex-col gap-2 [overflow-wrap:anywhere] empty:hidden">{children}</div>
      </div>
    </section>
  );
}

/** Something that folds out. */
export function Folding({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded-sm text-soft hover:text-ink touch:py-2">{label}</summary>
      <div className="mt-1.5 flex flex-col gap-2">{children}</div>
    </details>
  );
}
