const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

// Written out by hand: the browser's own formatters take longer to begin than the first rows of a log take to draw.
const months = "January February March April May June July August September October November December".split(" ");
const weekdays = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

const two = (n: number) => String(n).padStart(2, "0");

/** A day without its year: `11 Nov`. */
function shortDate(at: Date): string {
  const month = months[at.getMonth()] ?? "";
  return `${at.getDate()} ${month === "September" ? "Sept" : month.slice(0, 3)}`;
}

/** How long ago: `now`, `12 s ago`, `4 m ago`, `3 h ago`, `2 d ago`, then the date. Both in epoch milliseconds. */
export function formatAgo(at: number, now: number): string {
  const ago = now - at;
  if (ago < 5_000) return "now";
  if (ago < minute) return `${Math.floor(ago / 1_000)} s ago`;
  if (ago < hour) return `${Math.floor(ago / minute)} m ago`;
  if (ago < day) return `${Math.floor(ago / hour)} h ago`;
  if (ago < 7 * day) return `${Math.floor(ago / day)} d ago`;
  const then = new Date(at);
  return ago < 300 * day ? shortDate(then) : `${shortDate(then)} ${then.getFullYear()}`;
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
  const time = new Date(at);
  return `${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** The time of day to the second, local: `14:32:07`. */
export function formatClockSeconds(at: number): string {
  return `${formatClock(at)}:${two(new Date(at).getSeconds())}`;
}

/** The whole date and time, local, with its zone: `Sunday, 22 November 2026 at 08:15:31 UTC+1`. For hovers. */
export function exactTime(at: number): string {
  const time = new Date(at);
  const day = `${weekdays[time.getDay()]}, ${time.getDate()} ${months[time.getMonth()]} ${time.getFullYear()}`;
  return `${day} at ${formatClockSeconds(at)} ${zoneOf(-time.getTimezoneOffset())}`;
}

/** A zone by its distance to UTC in minutes: `UTC`, `UTC+1`, `UTC−3:30`. */
export function zoneOf(minutes: number): string {
  if (minutes === 0) return "UTC";
  const far = Math.abs(minutes);
  const rest = far % 60 === 0 ? "" : `:${two(far % 60)}`;
  return `UTC${minutes < 0 ? "−" : "+"}${Math.floor(far / 60)}${rest}`;
}
