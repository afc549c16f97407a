/** Time, injected so that tests need not wait for it. */
export interface Clock {
  now(): Date;
  /** Resolves after so many milliseconds, or as soon as the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
