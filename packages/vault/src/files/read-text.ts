import { createHash } from "node:crypto";
import { ifMissing } from "../usable.ts";
import { readWhole, type Unfit } from "./read-whole.ts";

const mostBytes = 1024 * 1024;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export interface TextFile {
  /** With its byte order mark, if it has one: encoded again it is the same bytes. */
  text: string;
  /** SHA-256 of its bytes, in hex. */
  sha: string;
}

/** A file that people write; null when there is none. `why`: what is wrong with it. @throws what the file system says */
export async function readText(file: string): Promise<TextFile | Unfit | null> {
  const bytes = await readWhole(file, mostBytes).catch(ifMissing(null));
  if (bytes === null || "why" in bytes) return bytes;
  const text = decodeText(bytes);
  if (typeof text !== "string") return text;
  return { text, sha: createHash("sha256").update(bytes).digest("hex") };
}

export function decodeText(bytes: Uint8Array): string | Unfit {
  if (bytes.length > mostBytes) return { why: "it is larger than 1 MB" };
  if (bytes.includes(0)) return { why: "it is binary" };
  try {
    return decoder.decode(bytes);
  } catch {
    return { why: "it is not UTF-8" };
  }
}
