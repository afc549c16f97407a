const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const date = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dateWithYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const clockWithSeconds = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "long" });

/** How long ago: `now`, `12 s ago`, `4 m ago`, `3 h ago`, `2 d ago`, then the date. Both in epoch milliseconds. */
export function formatAgo(at: number, now: number): string {
  const ago = now - at;
  if (ago < 5_000) return "now";
  if (ago < minute) return `${Math.floor(ago / 1_000)} s ago`;
  if (ago < hour) return `${Math.floor(ago / minute)} m ago`;
  if (ago < day) return `${Math.floor(ago / hour)} h ago`;
  if (ago < 7 * day) return `${Math.floor(ago / day)} d ago`;
  return (ago < 300 * day ? date : dateWithYear).format(at);
}

/** How long until: `in 12 s`, `in 4 m`, `in 3 h`; `now` when it is past. Both in epoch milliseconds. */
export function formatUntil(at: number, now: number): string {
  const left = at - now;
  if (left <= 0) return "now";
  if (left < minute) return `in ${Math.ceil(left / 1_000)} s`;
  if (left < hour) return `in ${Math.ceil(left / minute)} m`;
  if (left < day) return `in ${Math.ceil(left / hour)} h`;
  return `in ${Math.ceil(left / day)} d`;
}

/** The time of day, local: `14:32`. */
export function formatClock(at: number): string {
  return clock.format(at);
}

/** The time of day to the second, local: `14:32:07`. */
export function formatClockSeconds(at: number): string {
  return clockWithSeconds.format(at);
}

/** The whole date and time, local, with its zone: for hovers. */
export function exactTime(at: number): string {
  return exact.format(at);
}
