import { closeSync, constants, fstatSync, ftruncateSync, openSync, statSync, writeSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { Fault } from "@ralpher/contract";
import { findInLibrary } from "../files/c-library.ts";
import { ifMissing, usable } from "../usable.ts";
import { requireWithin } from "../vault-path.ts";

const path = "/.state/watch.lock";
const shared = 1;
const exclusive = 2;
const withoutWaiting = 4;

/** Whoever looks whether it is held holds it for a moment, too. */
const tries = 10;
const againMs = 10;

type Flock = (fd: number, how: number) => number;
let found: Flock | null | undefined;

/**
 * Hold the vault's watch lock until disposed; null when somebody does, in this process or another. flock(2), which neither
 * Bun nor Node offers: it ends with the process, so that it is never stale. What stands in the file, its holder's process
 * id, is for people. @throws Fault `vault_unusable`, `disk_full`
 */
export async function lockWatch(root: string): Promise<Disposable | null> {
  const file = await requireWithin(root, path);
  await usable(path, mkdir(dirname(file), { recursive: true }));
  for (let tried = 1; ; tried++) {
    const fd = await usable(path, take(file, exclusive));
    if (fd !== null) return hold(fd);
    if (tried === tries) return null;
    await Bun.sleep(againMs);
  }
}

/** Makes nothing. @throws Fault `vault_unusable` */
export async function isWatched(root: string): Promise<boolean> {
  const file = await requireWithin(root, path);
  const fd = await usable(path, take(file, shared).catch(ifMissing("free" as const)));
  if (fd === "free") return false;
  if (fd !== null) closeSync(fd);
  return fd === null;
}

function hold(fd: number): Disposable {
  sayHolder(fd, `${process.pid}\n`);
  let isHeld = true;
  return {
    [Symbol.dispose]() {
      // Closed twice, it might be another file's number.
      if (!isHeld) return;
      isHeld = false;
      sayHolder(fd, "");
      closeSync(fd);
    },
  };
}

function sayHolder(fd: number, text: string): void {
  try {
    ftruncateSync(fd);
    writeSync(fd, text, 0);
  } catch {
    // On a full disk the lock is one all the same.
  }
}

/** The open file, locked; null when somebody else has it locked. @throws what the file system says */
async function take(file: string, how: number): Promise<number | null> {
  const flock = requireFlock();
  const mode = how === shared ? constants.O_RDONLY : constants.O_RDWR | constants.O_CREAT;
  const fd = openSync(file, mode, 0o644);
  try {
    // One that was removed meanwhile keeps nobody away.
    const isThere = () => statSync(file, { throwIfNoEntry: false })?.ino === fstatSync(fd).ino;
    if (flock(fd, how | withoutWaiting) === 0 && (how === shared || isThere())) return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  closeSync(fd);
  return null;
}

function requireFlock(): Flock {
  found ??= findInLibrary({ flock: { args: ["int", "int"], returns: "int" } })?.flock ?? null;
  if (found === null) throw new Fault("vault_unusable", { path, detail: "this system has no locks for files" });
  return found;
}
