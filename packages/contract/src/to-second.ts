/** A time as files for people have it: UTC, ISO 8601 to the second. */
export function toSecond(at: Date | string): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}
