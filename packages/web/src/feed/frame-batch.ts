/** How long a hidden page may keep events, in milliseconds: it gets no animation frames. */
const hiddenMs = 250;

/**
 * Collect what comes and hand it over once per animation frame: deltas arrive by the hundred a second, and no screen
 * shows more than its frames. `cancel` drops what is waiting.
 */
export function createFrameBatch<T>(flush: (items: T[]) => void): { push(items: T[]): void; cancel(): void } {
  let waiting: T[] = [];
  let frame: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

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
    if (items.length > 0) flush(items);
  };

  return {
    push(items) {
      for (const item of items) waiting.push(item);
      if (frame !== undefined || timer !== undefined) return;
      if (document.hidden) timer = setTimeout(run, hiddenMs);
      else {
        frame = requestAnimationFrame(run);
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
