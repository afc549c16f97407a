import type { Answer } from "./answer.ts";
import type { Api, Refusal } from "./api.ts";
import type { Query } from "./query.ts";
import { stall, streamBody } from "./stream-body.ts";

/** The HTTP response that carries an answer. `signal` aborts when the client leaves or the server closes. */
export async function answerResponse(api: Api, answer: Answer, query: Query, signal: AbortSignal): Promise<Response> {
  const { deltaDelayMs, ending } = answer;
  if (query.stream) {
    return new Response(streamBody(api.frames(answer, query), { deltaDelayMs, ending, signal }), {
      headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
    });
  }
  if (ending === "stall") await stall(signal);
  if (ending !== "cut") return Response.json(api.whole(answer));
  const json = JSON.stringify(api.whole(answer));
  const half = json.slice(0, json.length / 2);
  return new Response(streamBody([half], { deltaDelayMs: 0, ending, signal }), {
    headers: { "content-type": "application/json" },
  });
}

/** The HTTP response that carries an error in the provider's words. */
export function refusalResponse(api: Api, refusal: Refusal): Response {
  const headers = new Headers({ "request-id": "req_scripted" });
  if (refusal.kind === "status" && refusal.retryAfterSeconds !== undefined) {
    // The standard header knows whole seconds only; both providers also send milliseconds, and clients prefer those.
    headers.set("retry-after", String(Math.ceil(refusal.retryAfterSeconds)));
    if (!Number.isInteger(refusal.retryAfterSeconds)) {
      headers.set("retry-after-ms", String(Math.round(refusal.retryAfterSeconds * 1000)));
    }
  }
  return Response.json(api.refuse(refusal), { status: refusal.status, headers });
}
