import { type KeyboardEvent, memo, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useNow } from "../../feed/clock.ts";
import { type Store, useStore } from "../../feed/store.ts";
import { barHeight } from "../../parts/spark.tsx";
import { formatDuration, formatElapsed } from "../../words/duration.ts";
import { describeCell, type TimelineCell } from "../../words/iterations.ts";

const tallPx = 30;

/** Most empty places drawn for the iterations still allowed; beyond that the number says it better. */
const mostAhead = 60;

const strip = "flex shrink-0 items-end border-b border-line px-4 pt-2 pb-1 lg:px-6";

interface TimelineProps {
  cells: TimelineCell[];
  /** How many iterations the loop may have; null without a limit. */
  limit: number | null;
  /** The iteration that is read now. */
  shown: Store<number>;
  onJump: (iteration: number) => void;
  /** Read what is not known yet of older iterations. */
  onOlder: () => Promise<void>;
}

/** What is on the screen at first is more urgent than iterations long ago. */
const olderAfterMs = 1_500;

/** The iterations from left to right: colour by outcome, height by duration, marks for commits and for what humans said. A press jumps there. */
export function Timeline({ cells: known, limit, shown: shownNow, onJump, onOlder }: TimelineProps) {
  const ref = useRef<HTMLDivElement>(null);
  const shown = useStore(shownNow, (value) => value);
  const cells = useNewestFirst(ref, known);
  const now = useNow(1_000);
  const lengths = cells.map((cell) => lengthOf(cell, now));
  const longest = Math.max(...lengths.map((length) => length ?? 0), 1);
  const last = cells.at(-1)?.iteration ?? 0;
  const ahead = limit === null ? 0 : Math.max(0, Math.min(limit - last, mostAhead));

  // Where there are more than fit, the newest are in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when an iteration is added
  useEffect(() => {
    const bar = ref.current?.querySelector<HTMLElement>("button:last-of-type");
    if (ref.current !== null && bar !== null && bar !== undefined) {
      ref.current.scrollLeft = Math.max(0, bar.offsetLeft + bar.offsetWidth - ref.current.clientWidth + 24);
    }
  }, [last]);

  const firstUnknown = cells.findLast(({ startedAt, open }) => startedAt === null && !open)?.iteration;
  useEffect(() => {
    const bars = ref.current;
    if (firstUnknown === undefined || bars === null) return;
    const look = () => {
      const bar = bars.querySelector(`[data-iteration="${firstUnknown}"]`);
      if (bar !== null && bar.getBoundingClientRect().right > bars.getBoundingClientRect().left) void onOlder();
    };
    // Not before, either: what is scrolled at first is scrolled by this page.
    const timer = setTimeout(() => {
      look();
      bars.addEventListener("scroll", look, { passive: true });
    }, olderAfterMs);
    return () => {
      clearTimeout(timer);
      bars.removeEventListener("scroll", look);
    };
  }, [firstUnknown, onOlder]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const bars = [...(ref.current?.querySelectorAll("button") ?? [])];
    const next = step === undefined ? undefined : bars[bars.indexOf(event.target as HTMLButtonElement) + step];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };

  // Before the first bar the strip has its place already, so that nothing moves when that comes.
  if (cells.length === 0) {
    return (
      <div aria-hidden="true" className={`${strip} overflow-hidden`}>
        <span className="h-11" />
        {known.length === 0 && ahead > 0 && <Ahead count={ahead} />}
      </div>
    );
  }
  // One stop for the Tab key; the arrows go on from there.
  const stop = cells.some(({ iteration }) => iteration === shown) ? shown : last;
  return (
    <div
      ref={ref}
      role="toolbar"
      aria-label="Iterations"
      onKeyDown={onKeyDown}
      className={`${strip} overflow-x-auto [scrollbar-width:none]`}
    >
      {cells.map((cell, index) => (
        <Bar
          key={cell.iteration}
          cell={cell}
          length={lengths[index] ?? null}
          longest={longest}
          here={cell.iteration === shown}
          tabStop={cell.iteration === stop}
          onJump={onJump}
        />
      ))}
      {ahead > 0 && <Ahead count={ahead} />}
    </div>
  );
}

/** No bar is narrower, in pixels. */
const leastWidthPx = 10;
/** After what is in sight is painted, those come that are not. */
const allAfterMs = 300;

/**
 * The cells to draw: none while the page is first painted, for the log is more urgent than its hundreds of bars; then as
 * many of the newest as there is room for; a moment later those to the left of them too, which are out of sight.
 */
function useNewestFirst(bars: RefObject<HTMLElement | null>, cells: TimelineCell[]): TimelineCell[] {
  const [most, setMost] = useState(0);
  const more = cells.length > most;
  const widthBefore = useRef(0);
  useEffect(() => {
    if (most === Number.POSITIVE_INFINITY || !more) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    if (most === 0) {
      const frame = requestAnimationFrame(() => {
        timer = setTimeout(() => setMost(Math.ceil(window.innerWidth / leastWidthPx)));
      });
      return () => {
        cancelAnimationFrame(frame);
        clearTimeout(timer);
      };
    }
    timer = setTimeout(() => {
      widthBefore.current = bars.current?.scrollWidth ?? 0;
      setMost(Number.POSITIVE_INFINITY);
    }, allAfterMs);
    return () => clearTimeout(timer);
  }, [most, more, bars]);
  // What is in sight stays where it is.
  useLayoutEffect(() => {
    const element = bars.current;
    if (most !== Number.POSITIVE_INFINITY || element === null) return;
    element.scrollLeft += element.scrollWidth - widthBefore.current;
  }, [most, bars]);
  return more ? cells.slice(cells.length - most) : cells;
}

const lengthOf = (cell: TimelineCell, now: number): number | null => {
  if (cell.startedAt === null) return null;
  if (cell.open) return Math.max(0, now - cell.startedAt);
  return cell.endedAt === null ? null : cell.endedAt - cell.startedAt;
};

const fills = {
  continue: "bg-faint",
  partial: "bg-edge",
  complete: "bg-good",
  error: "bg-bad",
  interrupted: "border border-soft",
  stuck: "bg-need",
};

interface BarProps {
  cell: TimelineCell;
  length: number | null;
  longest: number;
  here: boolean;
  tabStop: boolean;
  onJump: (iteration: number) => void;
}

/** Cells are made anew with every event; hundreds of bars are drawn again only where one says something else. */
function sameBar({ cell: a, ...before }: BarProps, { cell: b, ...after }: BarProps): boolean {
  const same = <T extends object>(one: T, other: T, names: (keyof T)[]) =>
    names.every((name) => one[name] === other[name]);
  return (
    same(before, after, ["length", "longest", "here", "tabStop", "onJump"]) &&
    same(a, b, ["iteration", "startedAt", "outcome", "open", "commits", "said"])
  );
}

const Bar = memo(function Bar({ cell, length, longest, here, tabStop, onJump }: BarProps) {
  const words = length === null ? null : cell.open ? formatElapsed(length) : formatDuration(length);
  const name = describeCell(cell, words);
  const fill = cell.open ? "animate-breathe bg-run" : cell.outcome === null ? "bg-line" : fills[cell.outcome];
  const height = length === null ? 4 : Math.max(4, barHeight(length, longest) * tallPx);
  return (
    <button
      type="button"
      aria-label={name}
      aria-current={here || undefined}
      title={name}
      tabIndex={tabStop ? 0 : -1}
      data-iteration={cell.iteration}
      onClick={() => onJump(cell.iteration)}
      className="group/bar flex h-11 max-w-8 min-w-2.5 flex-1 flex-col justify-end rounded-sm px-px -outline-offset-1 touch:min-w-6"
    >
      <span
        className={`block w-full rounded-[2px] ${fill} group-hover/bar:brightness-90 dark:group-hover/bar:brightness-125`}
        style={{ height }}
      />
      <span
        className={`relative mt-1 flex h-1.5 w-full items-center justify-center gap-px ${here ? "border-t-2 border-ink" : "border-t-2 border-transparent"}`}
      >
        {cell.outcome === "error" ? <Cross /> : cell.commits > 0 && <span className="size-1 rounded-full bg-soft" />}
        {cell.said > 0 && <Said />}
      </span>
    </button>
  );
}, sameBar);

function Cross() {
  return (
    <svg aria-hidden="true" viewBox="0 0 6 6" className="size-1.5 stroke-bad" strokeWidth={1.5}>
      <path d="M1 1 5 5M5 1 1 5" />
    </svg>
  );
}

/** A human spoke: a small pointed mark, in the colour of what concerns people. */
function Said() {
  return (
    <svg aria-hidden="true" viewBox="0 0 6 6" className="size-1.5 fill-need">
      <path d="M0 0H6V4H3L1 6V4H0Z" />
    </svg>
  );
}

function Ahead({ count }: { count: number }) {
  return (
    <div
      aria-hidden="true"
      className="flex h-11 min-w-0 items-end"
      style={{ flex: `${count} 1 0%`, maxWidth: count * 32 }}
    >
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: empty places have no identity
        <span key={index} className="mb-2.5 h-0.5 min-w-0 flex-1 px-px">
          <span className="block h-full rounded-full bg-line" />
        </span>
      ))}
    </div>
  );
}
