import { createReadStream } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { CaptureRecord, type CaptureSummary, Fault } from "@ralpher/contract";
import { isAside } from "./captures.ts";

// A header is one line; a list must not read what comes after it.
const headBytes = 64 * 1024;
const tailBytes = 256 * 1024;

/**
 * The captured conversations in a folder and its subfolders, newest first. Files that are none are left out. An absent
 * folder has none.
 */
export async function listCaptures(folder: string): Promise<CaptureSummary[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    },
  );
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".jsonl") && !isAside(relative(folder, entry.parentPath)))
    .map((entry) => join(entry.parentPath, entry.name));
  const found: CaptureSummary[] = [];
  // One after the other: there may be thousands, and descriptors are few.
  for (const path of paths) {
    const summary = await summarize(path);
    if (summary !== null) found.push(summary);
  }
  return found.sort((a, b) => b.header.at.localeCompare(a.header.at));
}

async function summarize(path: string): Promise<CaptureSummary | null> {
  const file = await open(path).catch(() => null);
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    const head = await read(file, 0, Math.min(size, headBytes));
    // The first try to write it may have been cut short by a full disk.
    const header = head
      .split("\n")
      .map(recordOf)
      .find((record) => record !== null);
    if (header?.type !== "header") return null;
    const tail = await read(file, Math.max(0, size - tailBytes), Math.min(size, tailBytes));
    const last = tail.split("\n").map(recordOf);
    const end = last.findLast((record) => record?.type === "end");
    return {
      path,
      bytes: size,
      header,
      ended: end !== undefined,
      outcome: end?.type === "end" ? end.outcome : null,
      usage: end?.type === "end" ? end.usage : null,
      durationMs: end?.type === "end" ? end.durationMs : null,
    };
  } finally {
    await file.close();
  }
}

async function read(file: Awaited<ReturnType<typeof open>>, from: number, bytes: number): Promise<string> {
  const buffer = Buffer.alloc(bytes);
  const { bytesRead } = await file.read(buffer, 0, bytes, from);
  return buffer.toString("utf8", 0, bytesRead);
}

/**
 * A captured conversation, record by record. Lines that are only half written are left out; so are records of kinds that a
 * newer Ralpher may write.
 * @throws Fault `not_found`, `invalid_input` when the file is no captured conversation
 */
export async function* readCapture(path: string): AsyncGenerator<CaptureRecord, void, void> {
  if (!(await stat(path).catch(() => null))?.isFile())
    throw new Fault("not_found", { what: `captured conversation at ${path}` });
  let isFirst = true;
  for await (const line of linesOf(path)) {
    const record = recordOf(line);
    if (record === null) continue;
    if (isFirst && record.type !== "header") throw notCaptured(path);
    isFirst = false;
    yield record;
  }
  if (isFirst) throw notCaptured(path);
}

function notCaptured(path: string): Fault<"invalid_input"> {
  const issue = { path, message: "it does not begin with the header of a captured conversation" };
  return new Fault("invalid_input", { what: "file", issues: [issue] });
}

/** Split at line feeds alone: other characters that some take for ends of lines may stand in a record. */
async function* linesOf(path: string): AsyncGenerator<string, void, void> {
  let rest = "";
  for await (const chunk of createReadStream(path, "utf8")) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest;
}

function recordOf(line: string): CaptureRecord | null {
  const record = CaptureRecord.safeParse(jsonOf(line));
  return record.success ? record.data : null;
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
