import { dlopen, type FFIFunction } from "bun:ffi";

const libraries =
  process.platform === "darwin"
    ? ["libSystem.B.dylib"]
    : ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`];

/** Functions of the system's C library; null where it has not all of them. */
export function findInLibrary<F extends Record<string, FFIFunction>>(functions: F) {
  for (const library of libraries) {
    try {
      return dlopen(library, functions).symbols;
    } catch {
      // Another C library, or one without such a function.
    }
  }
  return null;
}
