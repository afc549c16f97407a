import type { AgentEvent, AgentSession, Turn, TurnResult } from "@ralpher/contract";
import { createTurn, type TurnWriter } from "../turn-writer.ts";
import type { Capture, CaptureBody } from "./open-capture.ts";
import { createRedactedDeltas } from "./redacted-deltas.ts";

/**
 * The session, with everything said in it written to the capture. Its events and failures come out without the
 * environment's secrets; its answers are as they were, for programs.
 */
export function captureSession(session: AgentSession, capture: Capture): AgentSession {
  return {
    turn(prompt, options) {
      capture.write({ type: "prompt", text: prompt, wantsOutput: options?.output !== undefined });
      const writer = createTurn();
      void pass(session.turn(prompt, options), writer, capture);
      return writer.turn;
    },
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}

async function pass(turn: Turn, writer: TurnWriter, capture: Capture): Promise<void> {
  const started = performance.now();
  const { redactor } = capture;
  const deltas = createRedactedDeltas(redactor);
  const emit = (event: AgentEvent | null) => event !== null && writer.emit(event);
  for await (const event of turn) {
    if (event.type === "message.delta") {
      emit(deltas.add(event));
      continue;
    }
    if (event.type === "message.complete") emit(deltas.end(event.messageId));
    const redacted = redactor.event(event);
    const record = recordOf(redacted);
    if (record !== null) capture.write(record);
    writer.emit(redacted);
  }
  for (const rest of deltas.endAll()) writer.emit(rest);
  const result = withoutSecrets(await turn.result, capture);
  const durationMs = Math.round(performance.now() - started);
  capture.write({ type: "outcome", ...result, durationMs });
  await capture.written();
  const text = capture.trouble();
  if (text !== null) writer.emit({ type: "notice", text });
  writer.finish(result);
}

function withoutSecrets(result: TurnResult, { redactor }: Capture): TurnResult {
  return result.outcome === "done" ? result : { ...result, failure: redactor.failure(result.failure) };
}

/** What is kept of an event. Pieces are not: a whole follows. */
function recordOf(event: AgentEvent): CaptureBody | null {
  switch (event.type) {
    case "session.start":
      return { type: "session", session: event.session };
    case "message.complete":
      return { type: "message", kind: event.kind, text: event.text };
    case "tool.complete":
      return { type: "tool", tool: event.tool };
    case "notice":
      return { type: "notice", text: event.text };
    case "message.delta":
    case "tool.start":
    case "usage":
      return null;
  }
}
