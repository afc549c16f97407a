import type { Answer } from "./answer.ts";
import type { Query } from "./query.ts";

/** Marks the place before a delta in a stream of frames, where a slow model takes its time. */
export const gap = Symbol("gap");

/** A server-sent event as it goes over the wire, or the gap before the next delta. */
export type Frame = string | typeof gap;

/** A request that is not answered by the model. `status` is the HTTP status. */
export type Refusal =
  | { kind: "status"; status: number; message?: string | undefined; retryAfterSeconds?: number | undefined }
  | { kind: "unknown_model"; status: 404; model: string }
  | { kind: "overflow"; status: 400 }
  | { kind: "bad_request"; status: 400; message: string }
  | { kind: "no_route"; status: 404; message: string };

/** One provider's wire format. All methods are pure. */
export interface Api {
  name: "anthropic" | "openai";
  /** @throws Fault `invalid_input` when the body is not a request of this API. */
  readQuery(body: unknown, headers: Headers): Query;
  /** The answer as a stream; ends after the text when the answer stalls or is cut. */
  frames(answer: Answer, query: Query): Iterable<Frame>;
  /** The answer as one JSON body. */
  whole(answer: Answer): unknown;
  /** The JSON body of an error as this provider words it. */
  refuse(refusal: Refusal): unknown;
}

/** The session an agent names in its headers, whichever agent it is. */
export function sessionOf(headers: Headers): string | null {
  return headers.get("x-session-id") ?? headers.get("x-claude-code-session-id");
}

/** A server-sent event with a JSON body; `name` is its event field. */
export function sse(data: unknown, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/**
 * A gap and a frame for each delta. Thousands of equal deltas (a step's `repeat`) are encoded once.
 */
export function* deltaFrames(deltas: string[], encode: (delta: string) => string): Generator<Frame> {
  let last: string | null = null;
  let frame = "";
  for (const delta of deltas) {
    if (delta !== last) {
      last = delta;
      frame = encode(delta);
    }
    yield gap;
    yield frame;
  }
}
