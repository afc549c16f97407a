import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { streamBody } from "../stream-body.ts";

/** Smaller answers are not worth packing. In bytes. */
const worthPacking = 16 * 1024;
/** Quick: what is read here changes, and so is packed again and again. */
const level = 1;

/** Does the client read gzip? As its Accept-Encoding says; none says no. */
export function acceptsGzip(header: string | undefined): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(header ?? "");
}

/** Is an answer of so many bytes, or a few less, packed for this client? */
export function isPacked(bytes: number, acceptEncoding: string | undefined): boolean {
  return bytes >= worthPacking && acceptsGzip(acceptEncoding);
}

/** The headers of an answer that is packed or not. */
export function encodingHeaders(packed: boolean): Record<string, string> {
  return { vary: "accept-encoding", ...(packed ? { "content-encoding": "gzip" } : {}) };
}

export function pack(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return Bun.gzipSync(bytes, { level });
}

/** An answer in JSON from its texts, made and packed as fast as the reader takes it. `length`: of all of them. */
export function answerJson(pieces: Iterable<string>, length: number, acceptEncoding: string | undefined): Response {
  const packed = isPacked(length, acceptEncoding);
  const body = packed ? packedBody(pieces) : streamBody(pieces);
  return new Response(body, { headers: { "content-type": "application/json", ...encodingHeaders(packed) } });
}

function packedBody(pieces: Iterable<string>): ReadableStream<Uint8Array> {
  // A reader who leaves ends the iteration of what is packed, and with that the making of it.
  const gzip = pipeline(Readable.from(pieces), createGzip({ level }), () => {});
  return streamBody(gzip as AsyncIterable<Uint8Array>);
}
