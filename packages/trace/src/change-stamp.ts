import { type BigIntStats, statSync } from "node:fs";

/** The clock of a file system ticks every few milliseconds only; a second change within a tick looks like the first. */
const tickMs = 50;

/**
 * A text that is another one whenever one of the files may have changed: their times and sizes. While one of them is so
 * young that a further change would not show, it is another one each time. The files are not opened: closing one would
 * drop the locks that SQLite holds on it for this process.
 */
export function changeStamp(paths: readonly string[], now = Date.now()): string {
  const found = paths.map(look);
  const young = found.some((stat) => stat !== null && now - Number(stat.mtimeMs) < tickMs);
  const parts = found.map((stat) => (stat === null ? "-" : `${stat.ino}.${stat.mtimeNs}.${stat.size}`));
  return [...parts, ...(young ? [`young ${performance.now()}`] : [])].join(" ");
}

function look(path: string): BigIntStats | null {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
