import { useVirtualizer } from "@tanstack/react-virtual";
import ArrowDown from "lucide-react/icons/arrow-down";
import { useEffect, useRef } from "react";
import type { LiveEntry } from "../../../feed/live.ts";
import type { Log, LogEntry } from "../../../feed/log.ts";
import type { Refusal } from "../../../feed/refusal.ts";
import { useKeys } from "../../../keys/use-keys.ts";
import { Button } from "../../../parts/button.tsx";
import type { TimelineCell } from "../../../words/iterations.ts";
import { Edge } from "./edge.tsx";
import { IterationHeader } from "./iteration-header.tsx";
import { LogRow } from "./log-row.tsx";
import { guessHeight } from "./row-height.ts";
import { focusRow, keyOf, useColumns, useUnseen } from "./rows.ts";
import { useFillScreen } from "./use-fill-screen.ts";
import { useFolds } from "./use-folds.ts";
import { useEndInSight, useFollow } from "./use-follow.ts";
import { type Jump, useJump } from "./use-jump.ts";

/** Room above the first row for the line that tells how far back the log is loaded. */
const topPx = 40;
/** The pinned header covers so much of the top. */
const headerPx = 32;

interface LogViewProps {
  log: Log;
  live: LiveEntry[];
  cells: ReadonlyMap<number, TimelineCell>;
  root: string | null;
  reachesBeginning: boolean;
  older: "idle" | "loading" | Refusal;
  loadOlder: (limit?: number) => Promise<void>;
  jump: Jump | null;
  onIterationShown: (iteration: number) => void;
}

/** A loop's log: one column, only what is on the screen in the page, what is read never moved by what comes. */
export function LogView(props: LogViewProps) {
  const { log, live, cells, root, reachesBeginning, older, loadOlder, onIterationShown } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const count = log.entries.length + live.length;
  const rowAt = (index: number): LogEntry | LiveEntry | undefined =>
    index < log.entries.length ? log.entries[index] : live[index - log.entries.length];

  const follow = useFollow(scroller, () => {
    if (older === "idle") void loadOlder();
  });
  const { following, unfollow } = follow;
  const columns = useColumns(scroller);
  const lastTotal = useRef(0);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => keyOf(rowAt(index), index, log),
    estimateSize: (index) => {
      const entry = rowAt(index);
      return entry === undefined ? 28 : guessHeight(entry, columns);
    },
    overscan: 10,
    paddingStart: topPx,
    paddingEnd: 24,
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

  const { context, openKeysOf } = useFolds(root, unfollow);
  useEndInSight(scroller, follow, virtualizer.getTotalSize());
  useFillScreen(scroller, count, reachesBeginning || older !== "idle", loadOlder);
  const jumpingTo = useJump(props, (index) => {
    unfollow();
    // The row after the header, because what is scrolled to comes to lie under the header's place at the top.
    virtualizer.scrollToIndex(Math.min(index + 1, count - 1), { align: "start" });
  });
  const unseen = useUnseen(log, following);

  const offset = virtualizer.scrollOffset ?? 0;
  const move = (by: 1 | -1) => () => {
    const focused = (document.activeElement as HTMLElement | null)?.closest<HTMLElement>("[data-index]");
    const from = focused === null || focused === undefined ? (by === 1 ? shown : count) : Number(focused.dataset.index);
    const next = from + by;
    if (next < 0 || next >= count) return;
    virtualizer.scrollToIndex(next, { align: "auto" });
    focusRow(scroller, next);
  };
  useKeys({ j: move(1), k: move(-1), End: follow.follow });

  const shown = virtualizer.getVirtualItemForOffset(offset + 1)?.index ?? 0;
  const iteration = rowAt(shown)?.iteration ?? 0;
  // A copy of the iteration's header stands at the top, over the original while that is still there.
  const pinned = iteration > 0 && offset > topPx;
  useEffect(() => onIterationShown(iteration), [iteration, onIterationShown]);

  return (
    <section aria-label="Log" className="relative min-h-0 flex-1">
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
            <Edge reachesBeginning={reachesBeginning} older={older} loadOlder={loadOlder} empty={count === 0} />
          </p>
          {virtualizer.getVirtualItems().map((item) => {
            const entry = rowAt(item.index);
            if (entry === undefined) return null;
            return (
              <div
                key={item.key}
                ref={virtualizer.measureElement}
                data-index={item.index}
                tabIndex={-1}
                className="absolute inset-x-0 top-0 -outline-offset-2"
              >
                <LogRow
                  entry={entry}
                  cell={entry.kind === "iteration" ? cells.get(entry.iteration) : undefined}
                  context={context}
                  openKeys={openKeysOf(entry.key)}
                />
              </div>
            );
          })}
        </div>
      </div>
      {jumpingTo !== null && (
        <p
          role="status"
          className="absolute inset-x-0 top-10 z-10 mx-auto w-fit animate-appear rounded-full bg-bg px-3 py-1 text-small shadow-over"
        >
          Loading iteration {jumpingTo}…
        </p>
      )}
      {!following && (
        <Button
          look="filled"
          className="!absolute bottom-4 left-1/2 z-10 -translate-x-1/2 animate-appear !rounded-full shadow-over"
          aria-label={unseen > 0 ? `Go to the newest entry, ${unseen} new` : "Go to the newest entry"}
          onClick={follow.follow}
        >
          {unseen > 0 ? `${unseen} new` : "Newest"}
          <ArrowDown aria-hidden="true" />
        </Button>
      )}
    </section>
  );
}
