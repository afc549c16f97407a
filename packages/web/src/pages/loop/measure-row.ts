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
  const index = instance.indexFromElement(element);
  const key = instance.options.getItemKey(index);
  if (box === undefined) return instance.itemSizeCache.get(key) ?? instance.options.estimateSize(index);
  const height = Math.round(box.blockSize);
  // A height that was guessed right is not kept by itself. The guess may change with the row's text while its height
  // does not, and then nobody would tell again: a gap would stay below the row.
  if (instance.measurementsCache[index]?.size === height) instance.itemSizeCache.set(key, height);
  return height;
}
