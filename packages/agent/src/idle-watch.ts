/** Tells when an agent has been silent for too long. Whoever starts it stops it. */
export interface IdleWatch {
  /** The agent gave a sign of life. */
  touch(): void;
  /** The agent said that it will be silent until then (milliseconds since the epoch): do not count that. */
  excuse(until: number): void;
  stop(): void;
}

// Longer waits than 2^31 ms would fire at once.
const longestTimerMs = 2 ** 30;

/**
 * Watch for silence of so many milliseconds. `onIdle` is called once at most. A sign of life costs no more than reading
 * the clock, for there may be thousands in a second.
 */
export function startIdleWatch(idleTimeoutMs: number, onIdle: () => void): IdleWatch {
  let deadline = Date.now() + idleTimeoutMs;
  let timer = setTimeout(look, Math.min(idleTimeoutMs, longestTimerMs));

  function look(): void {
    const left = deadline - Date.now();
    if (left <= 0) onIdle();
    else timer = setTimeout(look, Math.min(left, longestTimerMs));
  }

  return {
    touch() {
      deadline = Math.max(deadline, Date.now() + idleTimeoutMs);
    },
    excuse(until) {
      deadline = Math.max(deadline, until + idleTimeoutMs);
    },
    stop() {
      clearTimeout(timer);
    },
  };
}
