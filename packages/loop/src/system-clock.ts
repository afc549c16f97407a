import type { Clock } from "@ralpher/contract";

/** setTimeout takes no more; whoever sleeps longer wakes early and looks again. */
const longestMs = 2 ** 31 - 1;

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => new Date(),
  sleep(ms, signal) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, Math.min(Math.max(ms, 0), longestMs));
    const wake = () => resolve();
    signal?.addEventListener("abort", wake, { once: true });
    if (signal?.aborted) wake();
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", wake);
    });
  },
};
