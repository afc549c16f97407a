const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const two = (n: number) => String(n).padStart(2, "0");

/** A length of time for the eye: `80 ms`, `4.2 s`, `2 m 05 s`, `1 h 04 m`, `3 d 02 h`. Takes milliseconds. */
export function formatDuration(ms: number): string {
  if (ms < 100) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 9_950) return `${(ms / second).toFixed(1)} s`;
  if (ms < minute - second / 2) return `${Math.round(ms / second)} s`;
  if (ms < minute) return "1 m 00 s";
  if (ms < hour) return `${Math.floor(ms / minute)} m ${two(Math.floor((ms % minute) / second))} s`;
  if (ms < day) return `${Math.floor(ms / hour)} h ${two(Math.floor((ms % hour) / minute))} m`;
  return `${Math.floor(ms / day)} d ${two(Math.floor((ms % day) / hour))} h`;
}

/** The same for something that still runs: whole seconds, so that it does not flicker. Takes milliseconds. */
export function formatElapsed(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / second));
  return whole < 60 ? `${whole} s` : formatDuration(whole * second);
}

/** The exact length, for a hover: `125.312 s`. Takes milliseconds. */
export function exactDuration(ms: number): string {
  return `${(ms / second).toFixed(3)} s`;
}
