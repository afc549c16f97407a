import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { Fault, type Spec } from "@ralpher/contract";
import { titleOf } from "./spec-title.ts";

const mostBytes = 1024 * 1024;

/** @throws Fault `spec_unusable` with the reason */
export async function readSpec(path: string): Promise<Spec> {
  const unusable = (detail: string, cause?: unknown) => new Fault("spec_unusable", { path, detail }, { cause });
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    const missing = error.code === "ENOENT" || error.code === "ENOTDIR";
    throw unusable(missing ? "there is no such file" : error.message, error);
  });
  if (found.isDirectory()) throw unusable("it is a folder");
  if (!found.isFile()) throw unusable("it is no plain file");
  if (found.size > mostBytes) throw unusable("it is larger than 1 MB");
  const bytes = await readFile(path).catch((error: Error) => {
    throw unusable(error.message, error);
  });
  const text = decode(bytes);
  if (text === null) throw unusable("it is no text in UTF-8");
  const title = titleOf(text);
  if (title === null) throw unusable("it is empty");
  return { path, text, sha: createHash("sha256").update(text).digest("hex"), title };
}

function decode(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

/** Changes whenever the file may have: also when another was put in its place. Null when it is gone. */
export async function specStamp(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found === null ? null : [found.ino, found.mtimeNs, found.ctimeNs, found.size].join("-");
}
