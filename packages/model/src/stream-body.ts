import { type Frame, gap } from "./api.ts";
import { wait } from "./wait.ts";

/** Bytes gathered before a write: a write per delta would make floods slow. */
const batchSize = 64 * 1024;

/** Time for what was written to be read before the connection breaks: a reset takes away what a busy client has not read. */
const beforeCutMs = 250;

/** How a stream goes and ends; see `Answer`. */
export interface StreamManner {
  deltaDelayMs: number;
  ending: "whole" | "stall" | "cut";
  /** Aborts when the client leaves or the server closes. */
  signal: AbortSignal;
}

/**
 * The body of a streamed response. It is pulled, so a slow client slows the script down instead of filling memory. It
 * errs at its end unless the ending is `whole`: Bun then resets the connection without the closing chunk, which is what
 * a broken stream looks like to the client.
 */
export function streamBody(frames: Iterable<Frame>, manner: StreamManner): ReadableStream<Uint8Array> {
  const batches = batchFrames(frames, manner);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await batches.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: async () => void (await batches.return(undefined)),
    },
    { highWaterMark: 0 },
  );
}

/** The frames in batches, with the delays between them; no timer outlives the client. */
export async function* batchFrames(
  frames: Iterable<Frame>,
  manner: StreamManner,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { deltaDelayMs, ending, signal } = manner;
  const encoder = new TextEncoder();
  let batch = "";
  let begun = false;
  for (const frame of frames) {
    if (frame !== gap) batch += frame;
    const pause = frame === gap && begun && deltaDelayMs > 0;
    if (frame === gap) begun = true;
    if (!pause && batch.length < batchSize) continue;
    if (batch !== "") yield encoder.encode(batch);
    batch = "";
    if (pause) await wait(deltaDelayMs, signal);
    if (signal.aborted) throw broken();
  }
  if (batch !== "") yield encoder.encode(batch);
  if (ending === "whole") return;
  if (ending === "stall") await stall(signal);
  if (ending === "cut") await wait(beforeCutMs, signal);
  throw broken();
}

function broken(): Error {
  return new Error("The stream ends here, unfinished.");
}

/** Resolves when the signal aborts. */
export function stall(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
