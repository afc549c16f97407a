import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { Log } from "../../../feed/log.ts";
import { isLive, liveKey, type RowEntry } from "./row-order.ts";

/** What a row is known by while others come and go around it. */
export function keyOf(entry: RowEntry | undefined, index: number, log: Log): string | number {
  if (entry === undefined) return index;
  return isLive(entry) ? liveKey(entry, log) : entry.key;
}

/** How many characters fit on a line of text, roughly. */
export function useColumns(scroller: RefObject<HTMLDivElement | null>): number {
  const [columns, setColumns] = useState(78);
  useLayoutEffect(() => {
    const width = scroller.current?.clientWidth ?? 1_000;
    setColumns(Math.max(20, Math.min(78, Math.floor((width - 130) / 7.2))));
  }, [scroller]);
  return columns;
}

/** How many events came since the reader left the end. `arrived`: how many have come in all. */
export function useUnseen(arrived: number, following: boolean): number {
  const seen = useRef(arrived);
  if (following) seen.current = arrived;
  return arrived - seen.current;
}

/** Give a row the focus, once it is on the page: its fold when it has one, else itself. */
export function focusRow(scroller: RefObject<HTMLDivElement | null>, index: number, tries = 3): void {
  requestAnimationFrame(() => {
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
    if (row === null || row === undefined) {
      if (tries > 0) focusRow(scroller, index, tries - 1);
      return;
    }
    (row.querySelector<HTMLElement>("button[aria-expanded]") ?? row).focus({ preventScroll: true });
  });
}
