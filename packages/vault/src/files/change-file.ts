import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { isAtRest, lease, restMs } from "./lease.ts";
import { openNow } from "./open-now.ts";
import { swapFiles } from "./swap.ts";
import { asideOf } from "./write-aside.ts";

const tries = 10;
const againMs = 10;

/** What a change makes of a file's bytes; `next` is null when they stay as they are. */
export interface Edit<T> {
  next: Buffer | null;
  value: T;
}
type Change<T> = (bytes: Buffer) => Edit<T>;

/**
 * Change a file that a human may be saving right now, and lose nothing of theirs. `change` sees the file as it is at that
 * moment, and again if somebody was quicker. Null when they always were.
 *
 * Best of all, in place under a lease: nobody has the file open meanwhile, and it stays the same file, with its owner,
 * mode and links. Where there is no lease to be had (another system, another user's file, a program that keeps it open), it is
 * written aside and swapped once the file rests; what comes out of the swap tells whether somebody saved since, and if so
 * it goes back.
 *
 * @throws what the file system says, and what `change` throws
 */
export async function changeFile<T>(file: string, change: Change<T>): Promise<{ value: T } | null> {
  let missing: unknown = null;
  for (const [attempt, pauseMs] of [
    [changeInPlace, againMs],
    [changeBySwap, restMs],
  ] as const) {
    for (let tried = 0; tried < tries; tried++) {
      missing = null;
      try {
        const made = attempt(file, change);
        if (made === "impossible") break;
        if (made !== "busy") return made;
      } catch (error) {
        // Some editors rename the old file away before they write the new one.
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
        missing = error;
      }
      await Bun.sleep(Math.ceil((Math.random() + 0.5) * pauseMs));
    }
  }
  if (missing !== null) throw missing;
  return null;
}

function changeInPlace<T>(file: string, change: Change<T>): { value: T } | "busy" | "impossible" {
  if (process.platform !== "linux") return "impossible";
  const fd = openNow(file, constants.O_RDWR);
  if (fd === null) return "busy";
  try {
    return underLease(fd, file, change);
  } finally {
    closeSync(fd);
  }
}

function underLease<T>(fd: number, file: string, change: Change<T>): { value: T } | "busy" {
  let edit: Edit<T>;
  {
    using held = lease(fd, "write");
    if (held === null || !isAt(fd, file)) return "busy";
    const bytes = readFileSync(fd);
    edit = change(bytes);
    if (edit.next !== null) overwrite(fd, bytes, edit.next);
    // An editor that saves by renaming does not open the file: it may have put another in its place.
    if (!isAt(fd, file)) return "busy";
  }
  if (edit.next !== null) fsyncSync(fd);
  return { value: edit.value };
}

/** Is the open file the one at this path? */
function isAt(fd: number, file: string): boolean {
  const at = statSync(file, { throwIfNoEntry: false });
  const open = fstatSync(fd);
  return at?.ino === open.ino && at.dev === open.dev;
}

/** Write what differs, in one go; the rest of the file is not touched. */
function overwrite(fd: number, before: Buffer, next: Buffer): void {
  let from = 0;
  while (from < before.length && from < next.length && before[from] === next[from]) from++;
  let to = next.length;
  if (next.length === before.length) while (to > from && before[to - 1] === next[to - 1]) to--;
  while (from < to) from += writeSync(fd, next, from, to - from, from);
  if (next.length < before.length) ftruncateSync(fd, next.length);
}

function changeBySwap<T>(file: string, change: Change<T>): { value: T } | "busy" {
  const found = readAtRest(file);
  if (found === null) return "busy";
  const { bytes: before, stat } = found;
  const { next, value } = change(before);
  if (next === null) return { value };
  const aside = asideOf(file);
  try {
    writeFileSync(aside, next, { flag: "wx", flush: true });
    keepOwner(aside, stat);
    if (!readFileSync(file).equals(before)) return "busy";
    if (!swapFiles(aside, file)) {
      // Moved away: it must not come back. @throws ENOENT
      statSync(file);
      renameSync(aside, file);
      return { value };
    }
    return settle(aside, file, before, next) ? { value } : "busy";
  } finally {
    rmSync(aside, { force: true });
  }
}

function readAtRest(file: string): { bytes: Buffer; stat: Stats } | null {
  const fd = openNow(file, constants.O_RDONLY);
  if (fd === null) return null;
  try {
    // Others may read it, and so hold off a lease for writing, while nobody writes it.
    using held = lease(fd, "read");
    const stat = fstatSync(fd);
    return held !== null || isAtRest(stat) ? { bytes: readFileSync(fd), stat } : null;
  } finally {
    closeSync(fd);
  }
}

/**
 * After the swap `aside` has what was at `file`. If that is not what was known to be there, somebody saved just before,
 * and theirs goes back; if they saved once more meanwhile, that one is the newest, and stays. Is `next` what stays?
 */
function settle(aside: string, file: string, before: Buffer, next: Buffer): boolean {
  let known = before;
  let put = next;
  for (;;) {
    const taken = readFileSync(aside);
    if (taken.equals(known)) return put === next;
    if (!swapFiles(aside, file)) {
      renameSync(aside, file);
      return false;
    }
    known = put;
    put = taken;
  }
}

function keepOwner(file: string, { mode, uid, gid }: Stats): void {
  try {
    chownSync(file, uid, gid);
  } catch {
    // Only root gives files away.
  }
  chmodSync(file, mode);
}
