import type { Answer } from "../answer.ts";
import { deltaFrames, type Frame, sse } from "../api.ts";

type Event = { type: string } & Record<string, unknown>;
const event = (data: Event) => sse(data, data.type);

/** An answer as the events of a streamed message, message_start to message_stop. */
export function* messageFrames(answer: Answer): Generator<Frame> {
  const { inputTokens: input_tokens, outputTokens: output_tokens } = answer.usage;
  yield event({
    type: "message_start",
    message: {
      id: `msg_${answer.id}`,
      type: "message",
      role: "assistant",
      model: answer.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens, output_tokens: 0 },
    },
  });

  let index = 0;
  if (answer.reasoning.length > 0) {
    yield* block(index, { type: "thinking", thinking: "", signature: "" }, answer.reasoning, (thinking) => ({
      type: "thinking_delta",
      thinking,
    }));
    // Clients refuse to send thinking back without a signature; ours checks nothing.
    yield event({ type: "content_block_delta", index, delta: { type: "signature_delta", signature: "c2NyaXB0ZWQ=" } });
    yield event({ type: "content_block_stop", index });
    index += 1;
  }
  if (answer.text.length > 0) {
    yield* block(index, { type: "text", text: "" }, answer.text, (text) => ({ type: "text_delta", text }));
    if (answer.ending !== "whole") return;
    yield event({ type: "content_block_stop", index });
    index += 1;
  }
  if (answer.ending !== "whole") return;
  for (const call of answer.calls) {
    const start = { type: "tool_use", id: `toolu_${call.id}`, name: call.name, input: {} };
    yield* block(index, start, call.arguments, (partial_json) => ({ type: "input_json_delta", partial_json }));
    yield event({ type: "content_block_stop", index });
    index += 1;
  }

  const stop_reason = answer.calls.length > 0 ? "tool_use" : "end_turn";
  yield event({
    type: "message_delta",
    delta: { stop_reason, stop_sequence: null },
    usage: { input_tokens, output_tokens },
  });
  yield event({ type: "message_stop" });
}

/** The beginning of a content block and its deltas; whoever calls closes it. */
function* block(index: number, start: Event, deltas: string[], encode: (delta: string) => Event): Generator<Frame> {
  yield event({ type: "content_block_start", index, content_block: start });
  yield* deltaFrames(deltas, (delta) => event({ type: "content_block_delta", index, delta: encode(delta) }));
}
