import { closeSync, openSync } from "node:fs";
import { Fault } from "@ralpher/contract";
import { usable } from "./usable.ts";

const exclusiveWithoutWaiting = 2 | 4;
const lookAgainMs = 10;
const patienceMs = 10_000;

const libraries =
  process.platform === "darwin"
    ? ["libSystem.B.dylib"]
    : ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`];

let flock: ((fd: number, how: number) => number) | undefined;

/**
 * flock(2), which neither Bun nor Node offers. It ends with the process, so that no lock is ever stale; and it keeps
 * apart those within one process, too. Loaded when first needed.
 */
async function loadFlock(): Promise<(fd: number, how: number) => number> {
  const { dlopen } = await import("bun:ffi");
  for (const [index, library] of libraries.entries()) {
    try {
      return dlopen(library, { flock: { args: ["int", "int"], returns: "int" } }).symbols.flock;
    } catch (error) {
      if (index === libraries.length - 1) throw error;
    }
  }
  throw new Error("no C library is known for this system");
}

/**
 * Hold this lock until disposed. The file is made when it is missing.
 * @throws Fault `soda_home_unusable` after 10 s, `disk_full`
 */
export async function takeLock(path: string): Promise<Disposable> {
  return await usable(path, take(path));
}

async function take(path: string): Promise<Disposable> {
  flock ??= await loadFlock();
  const fd = openSync(path, "a", 0o644);
  try {
    const until = performance.now() + patienceMs;
    while (flock(fd, exclusiveWithoutWaiting) !== 0) {
      if (performance.now() > until) {
        throw new Fault("soda_home_unusable", { path, detail: "another program holds it locked" });
      }
      await Bun.sleep(lookAgainMs);
    }
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  return { [Symbol.dispose]: () => closeSync(fd) };
}
