import { useVirtualizer } from "@tanstack/react-virtual";
import ArrowDown from "lucide-react/icons/arrow-down";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { LiveEntry } from "../../../feed/live.ts";
import { indexAtSeq, type Log } from "../../../feed/log.ts";
import type { PageLoad } from "../../../feed/loop-feed.ts";
import { useKeys } from "../../../keys/use-keys.ts";
import { Button } from "../../../parts/button.tsx";
import type { TimelineCell } from "../../../words/iterations.ts";
import { measureRow } from "../measure-row.ts";
import { Edge } from "./edge.tsx";
import { IterationHeader } from "./iteration-header.tsx";
import { LogRow } from "./log-row.tsx";
import { guessHeight } from "./row-height.ts";
import { type Places, type RowEntry, rowsOf } from "./row-order.ts";
import { focusRow, guessRoom, keyOf, observeSize, useUnseen } from "./rows.ts";
import { useFillScreen } from "./use-fill-screen.ts";
import type { Folds } from "./use-folds.ts";
import { useEndInSight, useFollow } from "./use-follow.ts";
import { useMarks } from "./use-marks.ts";

/** Room above the first row for the line that tells how far back the log is loaded. */
const topPx = 40;
/** Room below the last one. */
const bottomPx = 24;
/** The pinned header covers so much of the top. */
const headerPx = 32;
/** A log whose end is watched forgets its beginning when it is longer than this. */
const longestFollowed = 4_000;

/** A line to go to; another object for each wish, so that the same one can be wished for twice. */
export interface Target {
  seq: number;
  /** Where on the screen it should come to lie. */
  align: "start" | "center";
}

export interface LogListProps {
  log: Log;
  /** What is under way, behind the log; empty where the log does not end with the newest. */
  live: LiveEntry[];
  /** Where what was seen under way stands; it outlives this list. */
  places: Places;
  cells: ReadonlyMap<number, TimelineCell>;
  folds: Folds;
  /** Set to what stops following here. */
  unfollowing: RefObject<() => void>;
  active: boolean;
  reachesBeginning: boolean;
  reachesEnd: boolean;
  older: PageLoad;
  newer: PageLoad;
  loadOlder: () => Promise<void>;
  loadNewer: () => Promise<void>;
  /** Go to the newest entry, where it is not loaded here. */
  onNewest: () => void;
  onTrim: () => void;
  target: Target | null;
  /** The line that a link names. */
  marked: number | null;
  /** Somebody wants a link to this line. */
  onLink: (seq: number) => void;
  search: string;
  arrived: number;
  filtered: boolean;
  onIterationShown: (iteration: number) => void;
}

/** A stretch of the log: only what is on the screen in the page, what is read never moved by what comes. */
export function LogList(props: LogListProps) {
  const { log, live, places, cells, folds, active, reachesBeginning, reachesEnd, older, newer, target, search } = props;
  const { loadOlder, loadNewer, onTrim, onIterationShown } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(log, live, places), [log, live, places]);
  const count = rows.length;
  const rowAt = (index: number): RowEntry | undefined => rows[index];

  const follow = useFollow(scroller, {
    atEnd: reachesEnd && target === null,
    canFollow: reachesEnd,
    onNearTop: () => {
      if (older === "idle" && !reachesBeginning) void loadOlder();
    },
    onNearEnd: () => {
      if (newer === "idle" && !reachesEnd) void loadNewer();
    },
  });
  const { following, unfollow } = follow;
  props.unfollowing.current = unfollow;
  const [room] = useState(guessRoom);
  const heightOf = (index: number) => {
    const entry = rowAt(index);
    return entry === undefined ? 28 : guessHeight(entry, room.columns);
  };
  const lastTotal = useRef(0);
  const virtualizer = useVirtualizer<HTMLElement, Element>({
    count,
    measureElement: measureRow,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => keyOf(rowAt(index), index, log),
    estimateSize: heightOf,
    // The rows that will be seen are the first that are drawn; what was guessed wrong is put right before the first paint.
    initialRect: { width: 0, height: room.height },
    initialOffset: () => {
      if (!following) return 0;
      let total = topPx + bottomPx;
      for (let index = 0; index < count; index += 1) total += heightOf(index);
      return Math.max(0, total - room.height);
    },
    observeElementRect: observeSize,
    // What scrolls by by itself needs no rows ahead; what is scrolled by hand does.
    overscan: following ? 3 : 10,
    paddingStart: topPx,
    paddingEnd: bottomPx,
    scrollPaddingStart: headerPx,
    // What is read stays in its place when older rows come in before it. The end is kept by `pin`.
    anchorTo: "end",
    scrollEndThreshold: -1,
    // Rows below one that grew are moved before the next paint, not after the next render.
    directDomUpdates: true,
    onChange: ({ getTotalSize }) => {
      const total = getTotalSize();
      if (total === lastTotal.current) return;
      lastTotal.current = total;
      follow.pin();
    },
  });

  useEndInSight(scroller, follow, virtualizer.getTotalSize());
  useFillScreen(scroller, count, reachesBeginning || older !== "idle", loadOlder);
  useFillScreen(scroller, count, reachesEnd || newer !== "idle", loadNewer);
  useMarks(scroller, search, target?.seq ?? null);
  const unseen = useUnseen(props.arrived, following);
  const tooLong = following && active && log.events.length > longestFollowed;
  useEffect(() => {
    if (tooLong) onTrim();
  }, [tooLong, onTrim]);

  const lastTarget = useRef<Target | null>(null);
  useEffect(() => {
    if (target === null || target === lastTarget.current || !active) return;
    const wanted = log.entries[indexAtSeq(log, target.seq)];
    if (wanted === undefined) return;
    const index = rows.indexOf(wanted);
    lastTarget.current = target;
    unfollow();
    // The row after an iteration's header, because what is scrolled to comes to lie under the pinned copy of that.
    const row = wanted.kind === "iteration" ? Math.min(index + 1, count - 1) : index;
    virtualizer.scrollToIndex(row, { align: target.align });
  }, [target, active, log, rows, count, unfollow, virtualizer]);

  const offset = virtualizer.scrollOffset ?? 0;
  const move = (by: 1 | -1) => () => {
    const focused = (document.activeElement as HTMLElement | null)?.closest<HTMLElement>("[data-index]");
    const from = focused === null || focused === undefined ? (by === 1 ? shown : count) : Number(focused.dataset.index);
    const next = from + by;
    if (next < 0 || next >= count) return;
    virtualizer.scrollToIndex(next, { align: "auto" });
    focusRow(scroller, next);
  };
  const toNewest = () => {
    props.onNewest();
    follow.follow();
  };
  const link = () => {
    const row = (document.activeElement as HTMLElement | null)?.closest<HTMLElement>("[data-seq]");
    if (row?.dataset.seq !== undefined) props.onLink(Number(row.dataset.seq));
  };
  useKeys(active ? { j: move(1), k: move(-1), y: link, End: toNewest } : {});

  // What the pinned header covers is not seen.
  const shown = virtualizer.getVirtualItemForOffset(offset > topPx ? offset + headerPx : offset + 1)?.index ?? 0;
  const iteration = rowAt(shown)?.iteration ?? 0;
  // A copy of the iteration's header stands at the top, over the original while that is still there.
  const pinned = iteration > 0 && offset > topPx;
  useEffect(() => onIterationShown(iteration), [iteration, onIterationShown]);

  return (
    <>
      {pinned && (
        <div
          aria-hidden="true"
          className="pointer-events-none absolute inset-x-0 -top-px z-10 [scrollbar-gutter:stable]"
        >
          <IterationHeader iteration={iteration} cell={cells.get(iteration)} />
        </div>
      )}
      <div
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label="Log entries"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="absolute inset-0 overflow-y-auto overscroll-contain -outline-offset-2 [overflow-anchor:none]"
      >
        <div ref={virtualizer.containerRef} className="relative w-full">
          <p className="flex h-10 items-center gap-2 px-4 text-small text-soft lg:px-6">
            <Edge
              reachesBeginning={reachesBeginning}
              older={older}
              loadOlder={loadOlder}
              empty={count === 0}
              filtered={props.filtered}
            />
          </p>
          {virtualizer.getVirtualItems().map((item) => {
            const entry = rowAt(item.index);
            if (entry === undefined) return null;
            const seq = "seq" in entry ? entry.seq : undefined;
            return (
              <div
                key={item.key}
                ref={virtualizer.measureElement}
                data-index={item.index}
                data-seq={seq}
                data-kind={entry.kind}
                tabIndex={-1}
                className={`group/line absolute inset-x-0 top-0 -outline-offset-2 ${seq !== undefined && seq === props.marked && entry.kind !== "iteration" ? "bg-run-tint/60 shadow-[inset_3px_0_0_var(--run)]" : ""}`}
              >
                {seq !== undefined && entry.kind !== "iteration" && <LineLink seq={seq} onLink={props.onLink} />}
                <LogRow
                  entry={entry}
                  cell={entry.kind === "iteration" ? cells.get(entry.iteration) : undefined}
                  context={folds.context}
                  openKeys={folds.openKeysOf(entry.key)}
                />
              </div>
            );
          })}
        </div>
      </div>
      {!following && count > 0 && (
        <Button
          look="filled"
          className="!absolute right-6 bottom-4 z-10 animate-appear !rounded-full shadow-over max-sm:right-1/2 max-sm:translate-x-1/2"
          aria-label={unseen > 0 ? `Go to the newest entry, ${unseen} new` : "Go to the newest entry"}
          onClick={toNewest}
        >
          {unseen > 0 ? `${unseen} new` : "Newest"}
          <ArrowDown aria-hidden="true" />
        </Button>
      )}
    </>
  );
}

/** The way to a link to a line: shows beside it when the pointer is there. */
function LineLink({ seq, onLink }: { seq: number; onLink: (seq: number) => void }) {
  return (
    <a
      href={`?line=${seq}`}
      tabIndex={-1}
      aria-label="Link to this line"
      title="Copy the link to this line (y)"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onLink(seq);
      }}
      className="figure absolute top-1 left-0.5 hidden w-3.5 text-center leading-5 text-soft group-hover/line:block hover:text-ink touch:!hidden lg:left-1.5"
    >
      #
    </a>
  );
}
