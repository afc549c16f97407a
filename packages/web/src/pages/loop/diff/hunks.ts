import type { FileDiff } from "@ralpher/contract";
import { type Hunk, parsePatch } from "./patch.ts";

const parsed = new WeakMap<FileDiff, Hunk[]>();

/** The hunks of a file; parsed once for as long as the file is known. */
export function hunksOf(file: FileDiff): Hunk[] {
  let hunks = parsed.get(file);
  if (hunks === undefined) {
    hunks = parsePatch(file.patch ?? "");
    parsed.set(file, hunks);
  }
  return hunks;
}
