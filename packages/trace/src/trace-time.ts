/** Milliseconds since 1970. */
export type Clock = () => number;

/** Times as Trace writes them, with microseconds; each later than the one before, so that their order is that of events. */
export function createStamps(clock: Clock): () => string {
  let last = 0;
  return () => {
    last = Math.max(last + 1, Math.floor(clock() * 1000));
    const seconds = new Date(Math.floor(last / 1000)).toISOString().slice(0, 19);
    return `${seconds}.${String(last % 1_000_000).padStart(6, "0")}Z`;
  };
}

/** Seconds since 1970; of a text that is no time, 0. */
export function secondsOf(time: string): number {
  const at = Date.parse(time);
  return Number.isNaN(at) ? 0 : at / 1000;
}

/** Is the one time later than the other? Texts of the same millisecond are compared as such. */
export function isLater(one: string, other: string): boolean {
  const difference = secondsOf(one) - secondsOf(other);
  return difference === 0 ? one > other : difference > 0;
}
