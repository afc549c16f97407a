import { type RefObject, useEffect } from "react";
import { findAll } from "./find-text.ts";

const allName = "found";
const hereName = "found-here";

/**
 * Mark what was searched for, wherever it stands in the rows on the screen, and bring the hit at `seq` into sight.
 * The browser paints the marks over the text as it is; the page's elements stay untouched.
 */
export function useMarks(scroller: RefObject<HTMLElement | null>, text: string, seq: number | null): void {
  useEffect(() => {
    const element = scroller.current;
    if (element === null || text === "" || !("highlights" in CSS)) return;
    let shownHere = false;
    let frame = 0;
    const mark = () => {
      const all: Range[] = [];
      const here: Range[] = [];
      for (const row of element.querySelectorAll<HTMLElement>("[data-seq]")) {
        const isHere = row.dataset.seq === String(seq) && row.dataset.kind !== "iteration";
        (isHere ? here : all).push(...rangesIn(row, text));
      }
      CSS.highlights.set(allName, new Highlight(...all));
      CSS.highlights.set(hereName, new Highlight(...here));
      if (here[0] !== undefined && !shownHere) {
        shownHere = true;
        bringIntoSight(here[0], element);
      }
    };
    const later = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(mark);
    };
    const observer = new MutationObserver(later);
    observer.observe(element, { childList: true, characterData: true, subtree: true });
    later();
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete(allName);
      CSS.highlights.delete(hereName);
    };
  }, [scroller, text, seq]);
}

function rangesIn(row: HTMLElement, text: string): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    for (const start of findAll(node.nodeValue ?? "", text)) {
      const range = document.createRange();
      range.setStart(node, start);
      range.setEnd(node, start + text.length);
      ranges.push(range);
    }
  }
  return ranges;
}

/** Scroll whatever scrolls around the range, as far as needed; a row longer than the screen hides its own hits. */
function bringIntoSight(range: Range, outermost: HTMLElement): void {
  let element = range.startContainer.parentElement;
  while (element !== null) {
    const box = element.getBoundingClientRect();
    const hit = range.getBoundingClientRect();
    if (element.scrollHeight > element.clientHeight && (hit.top < box.top + 40 || hit.bottom > box.bottom - 40)) {
      element.scrollTop += hit.top - box.top - element.clientHeight / 3;
    }
    if (element === outermost) return;
    element = element.parentElement;
  }
}
