import { parse } from "@ralpher/contract";
import { z } from "zod";
import type { Answer } from "../answer.ts";
import { type Api, sessionOf } from "../api.ts";
import { Content, type Query, readTurns, textsOf } from "../query.ts";
import { messageFrames } from "./frames.ts";
import { refusalBody } from "./refusal.ts";

const MessagesRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(z.looseObject({ role: z.string(), content: Content })),
  system: Content,
  stream: z.boolean().default(false),
  tools: z.array(z.looseObject({ name: z.string().optional() })).default([]),
  max_tokens: z.number().nullish(),
  output_config: z
    .looseObject({
      format: z
        .looseObject({ schema: z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() }).optional() })
        .nullish(),
    })
    .optional(),
});

/** Anthropic's Messages API (docs.claude.com/en/api/messages). */
export const messagesApi: Api = {
  name: "anthropic",
  readQuery(body, headers): Query {
    const request = parse(MessagesRequest, body, "request");
    // Claude Code also puts system texts among the messages.
    const inside = request.messages.filter((message) => message.role === "system");
    return {
      model: request.model,
      stream: request.stream,
      includeUsage: true,
      session: sessionOf(headers),
      system: [...textsOf(request.system), ...inside.flatMap((message) => textsOf(message.content))],
      ...readTurns(request.messages),
      tools: request.tools.flatMap((tool) => tool.name ?? []),
      outputFields: Object.keys(request.output_config?.format?.schema?.properties ?? {}),
      maxTokens: request.max_tokens ?? null,
    };
  },
  frames: messageFrames,
  whole: (answer) => ({
    id: `msg_${answer.id}`,
    type: "message",
    role: "assistant",
    model: answer.model,
    content: contentOf(answer),
    stop_reason: answer.calls.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: answer.usage.inputTokens, output_tokens: answer.usage.outputTokens },
  }),
  refuse: refusalBody,
};

function contentOf(answer: Answer): unknown[] {
  const blocks: unknown[] = [];
  if (answer.reasoning.length > 0) {
    blocks.push({ type: "thinking", thinking: answer.reasoning.join(""), signature: "c2NyaXB0ZWQ=" });
  }
  if (answer.text.length > 0) blocks.push({ type: "text", text: answer.text.join("") });
  for (const call of answer.calls) {
    const input = looseJson(call.arguments.join(""));
    blocks.push({ type: "tool_use", id: `toolu_${call.id}`, name: call.name, input });
  }
  return blocks;
}

// Outside a stream the input is a JSON value, so malformed arguments can only be told as a string.
function looseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
