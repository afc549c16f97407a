import ChevronRight from "lucide-react/icons/chevron-right";
import type { ReactNode } from "react";
import { exactTime, formatClockSeconds } from "../../../words/time.ts";

const frame = "grid w-full max-w-[80rem] grid-cols-[1rem_minmax(0,1fr)_auto] gap-x-2.5 px-4 text-left lg:px-6";

/** The time of day, quiet, at the end of a line. */
export function At({ time }: { time: number }) {
  return (
    <time dateTime={new Date(time).toISOString()} title={exactTime(time)} className="figure leading-5 text-soft">
      {formatClockSeconds(time)}
    </time>
  );
}

/** A line of the log: glyph, what it says, and at the end a time or a length. */
export function Row({ glyph, end, children }: { glyph: ReactNode; end: ReactNode; children: ReactNode }) {
  return (
    <div className={`${frame} py-1`}>
      <span aria-hidden="true" className="flex h-5 items-center [&_svg]:size-3.5">
        {glyph}
      </span>
      <div className="min-w-0">{children}</div>
      <span className="text-right">{end}</span>
    </div>
  );
}

/** A line that folds out to more. */
export function FoldingRow({
  glyph,
  end,
  open,
  onToggle,
  label,
  children,
}: {
  glyph: ReactNode;
  end: ReactNode;
  open: boolean;
  onToggle: () => void;
  /** What the line says. */
  label: ReactNode;
  /** What it folds out to; rendered only when open. */
  children: ReactNode;
}) {
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        onClick={onToggle}
        className={`${frame} group/row py-1 -outline-offset-2 hover:bg-panel touch:py-2`}
      >
        <span aria-hidden="true" className="flex h-5 items-center [&_svg]:size-3.5">
          {glyph}
        </span>
        <span className="flex min-w-0 items-baseline gap-2 leading-5">{label}</span>
        <span className="flex items-center gap-1">
          {end}
          <ChevronRight
            aria-hidden="true"
            className={`size-3.5 text-faint transition-transform duration-100 group-hover/row:text-ink ${open ? "rotate-90" : ""}`}
          />
        </span>
      </button>
      {open && <div className="max-w-[80rem] pr-4 pb-2 pl-[2.625rem] lg:pr-6 lg:pl-[3.125rem]">{children}</div>}
    </>
  );
}
