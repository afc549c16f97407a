import { type RefObject, useEffect } from "react";

/** Load more while the log is shorter than the screen: nothing could be scrolled, so nothing else would. */
export function useFillScreen(
  scroller: RefObject<HTMLDivElement | null>,
  count: number,
  done: boolean,
  load: () => Promise<void>,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again whenever there are more rows
  useEffect(() => {
    const element = scroller.current;
    if (!done && element !== null && element.scrollHeight <= element.clientHeight * 2) void load();
  }, [scroller, count, done, load]);
}
