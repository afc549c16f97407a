import type { Virtualizer } from "@tanstack/react-virtual";

/**
 * A row's height: what the browser tells once it has laid all new rows out together, before they are painted; until
 * then the guess. To ask each new row by itself would lay the page out once for each of them.
 */
export function measureRow(
  element: Element,
  entry: ResizeObserverEntry | undefined,
  instance: Virtualizer<HTMLElement, Element>,
): number {
  const box = entry?.borderBoxSize[0];
  if (box !== undefined) return Math.round(box.blockSize);
  const index = instance.indexFromElement(element);
  return instance.itemSizeCache.get(instance.options.getItemKey(index)) ?? instance.options.estimateSize(index);
}
