import { constants, openSync } from "node:fs";

/** Open a file, but not wait for it: not for a pipe in its place, and not for somebody's lease. Null while there is one. */
export function openNow(file: string, flags: number): number | null {
  try {
    return openSync(file, flags | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return null;
    throw error;
  }
}
