import { parse } from "@ralpher/contract";
import { z } from "zod";
import { type Api, sessionOf } from "../api.ts";
import { Content, type Query, readTurns, textsOf } from "../query.ts";
import { chunkFrames, usageOf } from "./frames.ts";
import { refusalBody } from "./refusal.ts";

const ChatRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(z.looseObject({ role: z.string(), content: Content })),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }).optional() })).nullish(),
  max_tokens: z.number().nullish(),
  max_completion_tokens: z.number().nullish(),
});

/** OpenAI's chat completions (platform.openai.com/docs/api-reference/chat), as compatible providers speak it. */
export const chatApi: Api = {
  name: "openai",
  readQuery(body, headers): Query {
    const request = parse(ChatRequest, body, "request");
    const system = request.messages.filter((message) => message.role === "system" || message.role === "developer");
    return {
      model: request.model,
      stream: request.stream ?? false,
      includeUsage: request.stream_options?.include_usage ?? false,
      session: sessionOf(headers),
      system: system.flatMap((message) => textsOf(message.content)),
      ...readTurns(request.messages),
      tools: (request.tools ?? []).flatMap((tool) => tool.function?.name ?? []),
      outputFields: [],
      maxTokens: request.max_completion_tokens ?? request.max_tokens ?? null,
    };
  },
  frames: chunkFrames,
  whole: (answer) => ({
    id: `chatcmpl-${answer.id}`,
    object: "chat.completion",
    created: Math.floor(Date.now() / 1000),
    model: answer.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: answer.text.length > 0 ? answer.text.join("") : null,
          ...(answer.reasoning.length > 0 && { reasoning_content: answer.reasoning.join("") }),
          ...(answer.calls.length > 0 && {
            tool_calls: answer.calls.map((call) => ({
              id: `call_${call.id}`,
              type: "function",
              function: { name: call.name, arguments: call.arguments.join("") },
            })),
          }),
        },
        logprobs: null,
        finish_reason: answer.calls.length > 0 ? "tool_calls" : "stop",
      },
    ],
    usage: usageOf(answer),
  }),
  refuse: refusalBody,
};
