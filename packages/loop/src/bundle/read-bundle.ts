import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { BundleLine, DurableEvent, Fault, isFault } from "@ralpher/contract";

const megabyte = 1024 * 1024;
/** A bundle may unpack to so much, in bytes, */
const mostBytes = 512 * megabyte;
/** and none of its lines to more, in UTF-16 units. */
const longestLine = 16 * megabyte;

/**
 * The lines of a packed bundle, each checked as it comes. The last one is the end: a bundle without it was cut off.
 * @throws Fault `bundle_invalid` with the number of the line, `too_large`
 */
export async function* readBundle(packed: AsyncIterable<Uint8Array>): AsyncGenerator<BundleLine, void, void> {
  let number = 0;
  let isEnded = false;
  for await (const text of splitLines(unpack(packed))) {
    number += 1;
    if (isEnded) throw invalid(`line ${number}: there is more after its end`);
    const line = parseLine(text, number);
    if ((number === 1) !== (line.type === "ralpher-loop")) {
      throw invalid(`line ${number}: it must begin with the line "ralpher-loop", and have that once`);
    }
    isEnded = line.type === "end";
    yield line;
  }
  if (!isEnded) throw invalid("it was cut off, its end is missing");
}

async function* unpack(packed: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const source = Readable.from(packed);
  const gunzip = createGunzip();
  // Not `pipeline`: an error of the source is the caller's own, and must come out as it is.
  source.on("error", (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let bytes = 0;
  try {
    for await (const chunk of gunzip) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw tooLarge("bundle, unpacked,", mostBytes);
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    throw explain(error);
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

function explain(error: unknown): unknown {
  if (isFault(error)) return error;
  const { code = "" } = error as NodeJS.ErrnoException;
  if (code === "Z_BUF_ERROR") return invalid("it was cut off", error);
  if (code.startsWith("Z_")) return invalid("it is not packed with gzip", error);
  return code.startsWith("ERR_ENCODING") ? invalid("it is no text in UTF-8", error) : error;
}

/** Split at line feeds alone, as JSON Lines are. */
async function* splitLines(texts: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  let parts: string[] = [];
  let length = 0;
  for await (const text of texts) {
    const [head = "", ...lines] = text.split("\n");
    parts.push(head);
    length += head.length;
    if (length > longestLine) throw tooLarge("longest line of the bundle", longestLine);
    for (const line of lines) {
      yield parts.join("");
      parts = [line];
      length = line.length;
    }
  }
  if (length > 0) yield parts.join("");
}

function parseLine(text: string, number: number): BundleLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid(`line ${number} is no JSON`, error);
  }
  const { data, error } = BundleLine.safeParse(value);
  if (error === undefined) return data;
  const unknown = unknownEvent(value);
  if (unknown !== null) {
    throw invalid(`line ${number}: this version of Ralpher knows no event "${unknown}"; a newer one wrote it`);
  }
  const [issue] = error.issues;
  throw invalid(`line ${number}: ${issue?.path.map(String).join(".") || "(root)"}: ${issue?.message}`);
}

const eventTypes = new Set<string>(DurableEvent.options.map(({ shape }) => shape.type.value));

function unknownEvent(value: unknown): string | null {
  const line = value as { type?: unknown; event?: { type?: unknown } | null } | null;
  const type = line?.type === "event" ? line.event?.type : undefined;
  return typeof type === "string" && !eventTypes.has(type) ? type.slice(0, 100) : null;
}

export function invalid(detail: string, cause?: unknown): Fault {
  return new Fault("bundle_invalid", { detail }, { cause });
}

function tooLarge(what: string, bytes: number): Fault {
  return new Fault("too_large", { what, limit: `${bytes / megabyte} MB` });
}
