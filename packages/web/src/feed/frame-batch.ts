/** How long a hidden page may keep events, in milliseconds: it gets no animation frames. */
const hiddenMs = 250;

/** Between two batches at least so long: thirty a second look as smooth as sixty, and leave the page room to answer. */
export const pauseMs = 30;

/**
 * Collect what comes and hand it over with an animation frame: deltas arrive by the hundred a second, and no eye reads
 * so many. What comes after a pause is handed over with the very next frame. `pauseAfter`: how long to wait after a
 * batch, in milliseconds. `cancel` drops what is waiting.
 */
export function createFrameBatch<T>(
  flush: (items: T[]) => void,
  pauseAfter: (items: T[]) => number = () => pauseMs,
): { push(items: T[]): void; cancel(): void } {
  let waiting: T[] = [];
  let frame: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let nextAt = Number.NEGATIVE_INFINITY;

  const unschedule = () => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = undefined;
    timer = undefined;
  };
  const run = () => {
    unschedule();
    const items = waiting;
    waiting = [];
    nextAt = performance.now() + pauseAfter(items);
    if (items.length > 0) flush(items);
  };

  return {
    push(items) {
      for (const item of items) waiting.push(item);
      if (frame !== undefined || timer !== undefined) return;
      if (document.hidden) timer = setTimeout(run, hiddenMs);
      else {
        const onFrame = () => {
          if (performance.now() >= nextAt) run();
          else frame = requestAnimationFrame(onFrame);
        };
        frame = requestAnimationFrame(onFrame);
        // A page hidden before its frame came gets none; the timer makes sure that nothing lies for ever.
        timer = setTimeout(run, hiddenMs * 4);
      }
    },
    cancel() {
      unschedule();
      waiting = [];
    },
  };
}
