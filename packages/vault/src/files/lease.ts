import { fstatSync, type Stats } from "node:fs";
import { findInLibrary } from "./c-library.ts";

const setSignal = 10;
const setLease = 1024;
const kinds = { read: 0, write: 1 };
const release = 2;
/** What the kernel sends when somebody wants the file. Programs ignore it unless they ask for it; SIGIO would end them. */
const sigurg = 23;

type Fcntl = (fd: number, command: number, argument: number) => number;
let fcntl: Fcntl | null | undefined;

/**
 * Lease an open file (Linux, `F_SETLEASE`): the kernel grants it only while no other process has the file open (a read
 * lease: open for writing), and lets whoever opens it from then on wait. So who holds one sees the file whole, and may
 * write it in place: no editor has a save under way, and none is missed. Null where there are no leases, for a file of
 * another user, or while somebody has it open. Hold it for synchronous work only, and open nothing meanwhile: whoever
 * opens the file waits, this process too.
 */
export function lease(fd: number, kind: keyof typeof kinds): Disposable | null {
  if (process.platform !== "linux") return null;
  fcntl ??= findInLibrary({ fcntl: { args: ["int", "int", "int"], returns: "int" } })?.fcntl ?? null;
  const call = fcntl;
  if (call === null || !isOurs(fd)) return null;
  if (call(fd, setSignal, sigurg) !== 0 || call(fd, setLease, kinds[kind]) !== 0) return null;
  leasing.add(fstatSync(fd).dev);
  return { [Symbol.dispose]: () => void call(fd, setLease, release) };
}

/** Devices that have granted one: there, one that is denied means that somebody has the file open. */
const leasing = new Set<number>();

/**
 * Is an open file that no lease could be had for at rest, so that no save is under way? Where leases are granted it must
 * rest longer, for somebody has it open. One that was written far in the future rests, too: another clock wrote it.
 */
export function isAtRest({ dev, mtimeMs }: Stats): boolean {
  return Math.abs(Date.now() - mtimeMs) >= (leasing.has(dev) ? 1_000 : restMs);
}

/** A save takes less. */
export const restMs = 30;

/** Leases are for a file's owner, and for root. */
function isOurs(fd: number): boolean {
  const uid = process.geteuid?.();
  return uid === 0 || uid === fstatSync(fd).uid;
}
