import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useRef } from "react";
import type { Log } from "../../../feed/log.ts";
import { isLive, liveKey, type RowEntry } from "./row-order.ts";

/** What a row is known by while others come and go around it. */
export function keyOf(entry: RowEntry | undefined, index: number, log: Log): string | number {
  if (entry === undefined) return index;
  return isLive(entry) ? liveKey(entry, log) : entry.key;
}

/** Beside the page stands the rail, where the window has room for it; both in pixels. */
const railPx = 256;
const withRailPx = 1_024;
/** What of the window's height is not for the log, roughly. */
const aroundPx = 300;

/** What a list of rows is told of its place before it has one: characters on a line of text, and its height in pixels. */
export interface RoughSize {
  columns: number;
  height: number;
}

/** Guess the room for the rows by the window's size: to ask for it would lay out the page, before there are any. */
export function guessRoom(): RoughSize {
  const width = window.innerWidth - (window.innerWidth < withRailPx ? 0 : railPx);
  return {
    columns: Math.max(20, Math.min(78, Math.floor((width - 130) / 7.2))),
    height: Math.max(200, window.innerHeight - aroundPx),
  };
}

/** Tell a list's size whenever it changes, from the first frame on; never by laying out the page before its time. */
export function observeSize(
  instance: Virtualizer<HTMLElement, Element>,
  tell: (rect: { width: number; height: number }) => void,
): () => void {
  const observer = new ResizeObserver(([entry]) => {
    if (entry === undefined) return;
    const { width, height } = entry.contentRect;
    tell({ width: Math.round(width), height: Math.round(height) });
  });
  if (instance.scrollElement !== null) observer.observe(instance.scrollElement);
  return () => observer.disconnect();
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
