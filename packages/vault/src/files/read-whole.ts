import { closeSync, constants, fstatSync, readFileSync } from "node:fs";
import { isAtRest, lease, restMs } from "./lease.ts";
import { openNow } from "./open-now.ts";

const tries = 20;
const againMs = 5;

/** What is not a file, or too large to be one of ours. */
export type Unfit = { why: string };

/**
 * A file's bytes, never in the middle of a save that writes it in place: then the file is empty for a moment, and an
 * empty task would be another task. `mostBytes`: larger ones are unfit. @throws what the file system says
 */
export async function readWhole(file: string, mostBytes: number): Promise<Buffer | Unfit> {
  for (let tried = 1; ; tried++) {
    const found = look(file, mostBytes);
    if (found?.isWhole) return found.bytes;
    if (tried === tries) return { why: "somebody keeps writing it" };
    await Bun.sleep(tried < tries / 2 ? againMs : restMs);
  }
}

interface Look {
  bytes: Buffer | Unfit;
  /** Surely, or as far as anybody can say. */
  isWhole: boolean;
}

/** Null while another program holds a lease. */
function look(file: string, mostBytes: number): Look | null {
  const fd = openNow(file, constants.O_RDONLY);
  if (fd === null) return null;
  try {
    using held = lease(fd, "read");
    const before = fstatSync(fd);
    const unfit = (why: string) => ({ bytes: { why }, isWhole: true });
    if (!before.isFile()) return unfit(before.isDirectory() ? "it is a folder" : "it is no plain file");
    if (before.size > mostBytes) return unfit(`it is larger than ${Math.round(mostBytes / 1024 / 1024)} MB`);
    const bytes = readFileSync(fd);
    const after = fstatSync(fd);
    const isSame = after.size === bytes.length && after.mtimeMs === before.mtimeMs;
    return { bytes, isWhole: held !== null || (isSame && isAtRest(before)) };
  } finally {
    closeSync(fd);
  }
}
