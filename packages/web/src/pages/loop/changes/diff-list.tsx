import type { FileDiff } from "@ralpher/contract";
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useImperativeHandle, useMemo, useReducer, useRef } from "react";
import { Button } from "../../../parts/button.tsx";
import { measureRow } from "../measure-row.ts";
import { SplitRow, UnifiedLine } from "./diff-line-view.tsx";
import type { DiffRow } from "./diff-rows.ts";
import { FileHeader } from "./file-header.tsx";
import { colour } from "./highlighter.ts";

const heights: Record<DiffRow["kind"], number> = { file: 37, note: 36, hunk: 24, line: 20, pair: 20, end: 16 };

export interface DiffListHandle {
  toFile: (path: string) => void;
  /** To the next file (1) or the one before (-1). */
  step: (by: 1 | -1) => void;
}

/** All changes as one long list, of which only what is on the screen is in the page. File names stay at the top. */
export function DiffList({
  rows,
  handle,
  isFolded,
  isViewed,
  onFold,
  onViewed,
  onLoad,
  onCurrent,
}: {
  rows: DiffRow[];
  handle: RefObject<DiffListHandle | null>;
  isFolded: (file: FileDiff) => boolean;
  isViewed: (path: string, blob: string) => boolean;
  onFold: (file: FileDiff, folded: boolean) => void;
  onViewed: (file: FileDiff, viewed: boolean) => void;
  onLoad: (path: string) => void;
  onCurrent: (path: string) => void;
}) {
  const scroller = useRef<HTMLElement>(null);
  const [colours, coloured] = useReducer((times: number) => times + 1, 0);
  const headers = useMemo(() => rows.flatMap((row, index) => (row.kind === "file" ? [index] : [])), [rows]);
  const pinned = useRef(0);
  const virtualizer = useVirtualizer<HTMLElement, Element>({
    count: rows.length,
    measureElement: measureRow,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.key ?? index,
    estimateSize: (index) => heights[rows[index]?.kind ?? "line"],
    overscan: 20,
    paddingEnd: 200,
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) => {
        pinned.current = lastAtOrBefore(headers, range.startIndex);
        return [...new Set([pinned.current, ...defaultRangeExtractor(range)])].sort((a, b) => a - b);
      },
      [headers],
    ),
  });
  const items = virtualizer.getVirtualItems();

  useEffect(() => {
    for (const { index } of virtualizer.getVirtualItems()) {
      const row = rows[index];
      if (row !== undefined && "hunk" in row) colour(row.file.path, row.hunk, coloured);
    }
  });
  const current = rows[pinned.current]?.file.path ?? null;
  useEffect(() => {
    if (current !== null) onCurrent(current);
  }, [current, onCurrent]);
  useImperativeHandle(handle, () => {
    const to = (index: number | undefined) => {
      if (index !== undefined) virtualizer.scrollToIndex(index, { align: "start" });
    };
    return {
      toFile: (path) => to(headers.find((index) => rows[index]?.file.path === path)),
      step: (by) => {
        const at = headers.indexOf(pinned.current);
        const inside =
          (virtualizer.scrollOffset ?? 0) > (virtualizer.measurementsCache[pinned.current]?.start ?? 0) + 2;
        to(headers[by === -1 && inside ? at : at + by]);
      },
    };
  }, [headers, rows, virtualizer]);

  return (
    <section
      ref={scroller}
      aria-label="What changed"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="absolute inset-0 overflow-y-auto overscroll-contain -outline-offset-2 [overflow-anchor:none]"
    >
      <div className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          const sticky = item.index === pinned.current;
          return (
            <div
              key={item.key}
              ref={virtualizer.measureElement}
              data-index={item.index}
              className={sticky ? "sticky top-0 z-10" : "absolute inset-x-0 top-0"}
              style={sticky ? {} : { transform: `translateY(${item.start}px)` }}
            >
              <Row
                row={row}
                colours={colours}
                folded={isFolded(row.file)}
                viewed={isViewed(row.file.path, row.file.blob)}
                onFold={onFold}
                onViewed={onViewed}
                onLoad={onLoad}
              />
            </div>
          );
        })}
      </div>
    </section>
  );
}

function Row({
  row,
  colours,
  folded,
  viewed,
  onFold,
  onViewed,
  onLoad,
}: {
  row: DiffRow;
  colours: number;
  folded: boolean;
  viewed: boolean;
  onFold: (file: FileDiff, folded: boolean) => void;
  onViewed: (file: FileDiff, viewed: boolean) => void;
  onLoad: (path: string) => void;
}) {
  switch (row.kind) {
    case "file":
      return <FileHeader file={row.file} folded={folded} viewed={viewed} onFold={onFold} onViewed={onViewed} />;
    case "line":
      return <UnifiedLine line={row.line} partner={row.partner} colours={colours} />;
    case "pair":
      return <SplitRow pair={row.pair} colours={colours} />;
    case "hunk":
      return (
        <p className="figure flex h-6 items-center gap-3 bg-panel px-3 text-soft">
          <span className="shrink-0">line {row.hunk.newStart}</span>
          <span className="min-w-0 truncate">{row.hunk.title}</span>
        </p>
      );
    case "note":
      return (
        <p className="flex min-h-9 items-center gap-2 px-3 text-small text-soft sm:pl-9">
          {row.text}
          {row.offer !== null && (
            <Button
              look="quiet"
              className="!h-7 text-small text-ink touch:!h-11"
              onClick={() => (row.offer === "load" ? onLoad(row.file.path) : onFold(row.file, false))}
            >
              {row.offer === "load" ? "Load it" : "Show it"}
            </Button>
          )}
        </p>
      );
    case "end":
      return <div className="h-4" />;
  }
}

function lastAtOrBefore(sorted: number[], most: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1] ?? 0;
}
