import { type Frame, gap } from "./api.ts";
import { wait } from "./wait.ts";

/** Bytes gathered before a write: a write per delta would make floods slow. */
const batchSize = 64 * 1024;

/** Time for what was written to leave before the connection breaks; a reset may overtake it otherwise. */
const beforeCutMs = 20;

/** How a stream goes and ends; see `Answer`. */
export interface StreamManner {
  deltaDelayMs: number;
  ending: "whole" | "stall" | "cut";
  /** Aborts when the client leaves or the server closes. */
  signal: AbortSignal;
}

/**
 * The body of a streamed response. It is pulled, so a slow client slows the script down instead of filling memory, and
 * no timer outlives the client.
 */
export function streamBody(frames: Iterable<Frame>, manner: StreamManner): ReadableStream<Uint8Array> {
  const { deltaDelayMs, ending } = manner;
  const left = new AbortController();
  const signal = AbortSignal.any([manner.signal, left.signal]);
  const encoder = new TextEncoder();
  const queue = frames[Symbol.iterator]();
  let begun = false;

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let batch = "";
        const flush = () => {
          if (batch !== "" && !signal.aborted) controller.enqueue(encoder.encode(batch));
          batch = "";
        };
        while (!signal.aborted) {
          const next = queue.next();
          if (next.done) {
            flush();
            await end(controller);
            return;
          }
          if (next.value !== gap) {
            batch += next.value;
            if (batch.length >= batchSize) return flush();
          } else if (begun && deltaDelayMs > 0) {
            flush();
            await wait(deltaDelayMs, signal);
          } else {
            begun = true;
          }
        }
      },
      cancel: () => left.abort(),
    },
    { highWaterMark: 0 },
  );

  async function end(controller: ReadableStreamDefaultController): Promise<void> {
    if (ending === "stall") return stall(signal);
    if (ending === "cut") await wait(beforeCutMs, signal);
    if (signal.aborted) return;
    // An erring body makes Bun reset the connection without the closing chunk, which is what a cut looks like.
    if (ending === "cut") controller.error();
    else controller.close();
  }
}

/** Resolves when the signal aborts. */
export function stall(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
