import type { AgentEvent, AgentSession, Turn } from "@ralpher/contract";
import { createTurn, type TurnWriter } from "../turn-writer.ts";
import type { Capture, CaptureBody } from "./open-capture.ts";

/**
 * The session, with everything said in it written to the capture. Its events come out without the environment's secrets;
 * the results are as they were.
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
  for await (const event of turn) {
    const record = recordOf(event);
    if (record !== null) capture.write(record);
    writer.emit(capture.redact(event));
  }
  const result = await turn.result;
  const durationMs = Math.round(performance.now() - started);
  capture.write({ type: "outcome", ...result, durationMs });
  await capture.written();
  const text = capture.trouble();
  if (text !== null) writer.emit({ type: "notice", text });
  writer.finish(result);
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
