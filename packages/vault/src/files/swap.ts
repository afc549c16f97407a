import { findInLibrary } from "./c-library.ts";

type Swap = (one: Uint8Array, other: Uint8Array) => number;
let swap: Swap | null | undefined;

const currentFolder = -100;
const exchange = 2;

/** Let two files change places in one step. False where the system or the file system cannot. */
export function swapFiles(one: string, other: string): boolean {
  swap ??= findSwap();
  return swap !== null && swap(cString(one), cString(other)) === 0;
}

function findSwap(): Swap | null {
  if (process.platform === "darwin") {
    const found = findInLibrary({ renamex_np: { args: ["ptr", "ptr", "u32"], returns: "int" } });
    return found === null ? null : (one, other) => found.renamex_np(one, other, exchange);
  }
  const found = findInLibrary({ renameat2: { args: ["int", "ptr", "int", "ptr", "u32"], returns: "int" } });
  return found === null ? null : (one, other) => found.renameat2(currentFolder, one, currentFolder, other, exchange);
}

const cString = (text: string) => Buffer.from(`${text}\0`);
