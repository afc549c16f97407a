/** The beginning of the day that `now` is in, by this browser's clock; both in epoch milliseconds. */
export function dayStart(now: number): number {
  return new Date(now).setHours(0, 0, 0, 0);
}
