/** The two wire formats as a client sees them, so that one test can run over both. */

export interface SseEvent {
  event: string | null;
  data: unknown;
}

/** What a client made of an answer, streamed or whole. */
export interface Heard {
  text: string;
  reasoning: string;
  calls: { id: string; name: string; arguments: string }[];
  stop: string | null;
  textDeltas: number;
}

export interface Dialect {
  name: "anthropic" | "openai";
  path: string;
  /** A request body; `tools` are names, `extra` is laid over it. */
  body(messages: unknown[], tools?: string[], extra?: Record<string, unknown>): Record<string, unknown>;
  system(text: string): Record<string, unknown>;
  hearStream(events: SseEvent[]): Heard;
  hearWhole(body: unknown): Heard;
  errorCode(body: unknown): unknown;
  usage: { whole: unknown };
}

/** Parse server-sent events; `[DONE]` stays a string. An unfinished last event is an error of the server. */
export function parseEvents(text: string): SseEvent[] {
  if (!text.endsWith("\n\n")) throw new Error("the stream ends within an event");
  return text
    .slice(0, -2)
    .split("\n\n")
    .map((block) => {
      const lines = block.split("\n");
      const event = lines.find((line) => line.startsWith("event: "))?.slice(7) ?? null;
      const data = lines.find((line) => line.startsWith("data: "))?.slice(6) ?? "";
      return { event, data: data === "[DONE]" ? data : JSON.parse(data) };
    });
}

const silence = (): Heard => ({ text: "", reasoning: "", calls: [], stop: null, textDeltas: 0 });

// biome-ignore lint/suspicious/noExplicitAny: JSON from the wire, looked at field by field
type Json = any;

const anthropic: Dialect = {
  name: "anthropic",
  path: "/v1/messages",
  body: (messages, tools = [], extra = {}) => ({
    model: "model",
    max_tokens: 1000,
    messages,
    tools: tools.map((name) => ({ name, input_schema: { type: "object" } })),
    ...extra,
  }),
  system: (text) => ({ system: [{ type: "text", text }] }),
  hearStream(events) {
    const heard = silence();
    for (const { data } of events as { data: Json }[]) {
      const delta = data.delta ?? {};
      if (data.content_block?.type === "tool_use") {
        heard.calls.push({ id: data.content_block.id, name: data.content_block.name, arguments: "" });
      }
      if (delta.type === "text_delta") {
        heard.text += delta.text;
        heard.textDeltas += 1;
      }
      if (delta.type === "thinking_delta") heard.reasoning += delta.thinking;
      const call = heard.calls.at(-1);
      if (delta.type === "input_json_delta" && call) call.arguments += delta.partial_json;
      if (data.type === "message_delta") heard.stop = delta.stop_reason;
    }
    return heard;
  },
  hearWhole(body: Json) {
    const heard = silence();
    for (const block of body.content) {
      if (block.type === "text") heard.text += block.text;
      if (block.type === "thinking") heard.reasoning += block.thinking;
      if (block.type === "tool_use") {
        heard.calls.push({ id: block.id, name: block.name, arguments: JSON.stringify(block.input) });
      }
    }
    heard.stop = body.stop_reason;
    return heard;
  },
  errorCode: (body: Json) => body.error.type,
  usage: { whole: { input_tokens: 7, output_tokens: 3 } },
};

const openai: Dialect = {
  name: "openai",
  path: "/v1/chat/completions",
  body: (messages, tools = [], extra = {}) => ({
    model: "model",
    messages: [...systemMessages(extra), ...messages],
    tools: tools.map((name) => ({ type: "function", function: { name, parameters: { type: "object" } } })),
    ...extra,
  }),
  system: (text) => ({ systemText: text }),
  hearStream(events) {
    const heard = silence();
    for (const { data } of events as { data: Json }[]) {
      const choice = data.choices?.[0];
      if (!choice) continue;
      if (choice.delta.content) {
        heard.text += choice.delta.content;
        heard.textDeltas += 1;
      }
      heard.reasoning += choice.delta.reasoning_content ?? "";
      for (const call of choice.delta.tool_calls ?? []) {
        heard.calls[call.index] ??= { id: call.id, name: call.function.name, arguments: "" };
        (heard.calls[call.index] as Json).arguments += call.function.arguments;
      }
      heard.stop = choice.finish_reason ?? heard.stop;
    }
    return heard;
  },
  hearWhole(body: Json) {
    const { message, finish_reason } = body.choices[0];
    const calls = (message.tool_calls ?? []).map((call: Json) => ({ id: call.id, ...call.function }));
    const reasoning = message.reasoning_content ?? "";
    return { text: message.content ?? "", reasoning, calls, stop: finish_reason, textDeltas: 0 };
  },
  errorCode: (body: Json) => body.error.code ?? body.error.type,
  usage: { whole: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } },
};

function systemMessages(extra: Record<string, unknown>): unknown[] {
  return "systemText" in extra ? [{ role: "system", content: extra.systemText }] : [];
}

export const dialects = [anthropic, openai];

export const user = (content: unknown) => ({ role: "user", content });
export const assistant = (content: unknown) => ({ role: "assistant", content });

/** Post a body to a server, as a client of this dialect. */
export function post(
  url: string,
  dialect: Dialect,
  body: unknown,
  init: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> {
  return fetch(url + dialect.path, { method: "POST", body: JSON.stringify(body), ...init });
}

/** Ask with a stream and hear it to its end. */
export async function hear(url: string, dialect: Dialect, messages: unknown[], tools: string[] = []): Promise<Heard> {
  const response = await post(url, dialect, dialect.body(messages, tools, { stream: true }));
  return dialect.hearStream(parseEvents(await response.text()));
}
