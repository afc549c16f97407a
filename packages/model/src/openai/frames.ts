import type { Answer } from "../answer.ts";
import { deltaFrames, type Frame, sse } from "../api.ts";
import type { Query } from "../query.ts";

/** Token counts as OpenAI names them. */
export function usageOf(answer: Answer): Record<string, number> {
  const { inputTokens, outputTokens } = answer.usage;
  return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens };
}

/** An answer as chat completion chunks, the usage when asked for, and `[DONE]`. */
export function* chunkFrames(answer: Answer, query: Query): Generator<Frame> {
  const base = {
    id: `chatcmpl-${answer.id}`,
    object: "chat.completion.chunk",
    created: Math.floor(Date.now() / 1000),
    model: answer.model,
  };
  const chunk = (delta: unknown, finish_reason: string | null = null) =>
    sse({ ...base, choices: [{ index: 0, delta, finish_reason }] });

  yield chunk({ role: "assistant", content: "" });
  yield* deltaFrames(answer.reasoning, (reasoning_content) => chunk({ reasoning_content }));
  yield* deltaFrames(answer.text, (content) => chunk({ content }));
  if (answer.ending !== "whole") return;
  for (const [index, call] of answer.calls.entries()) {
    const start = { id: `call_${call.id}`, type: "function", function: { name: call.name, arguments: "" } };
    yield chunk({ tool_calls: [{ index, ...start }] });
    yield* deltaFrames(call.arguments, (piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
  }
  yield chunk({}, answer.calls.length > 0 ? "tool_calls" : "stop");
  if (query.includeUsage) yield sse({ ...base, choices: [], usage: usageOf(answer) });
  yield "data: [DONE]\n\n";
}
