import { expect, test } from "bun:test";
import { isFault, Script } from "@ralpher/contract";
import { assistant, dialects, hear, parseEvents, post, user } from "./dialect.fixture.ts";
import { openModelServer } from "./model-server.ts";

const open = (conversations: unknown[], more: object = {}) =>
  openModelServer({ script: Script.parse({ conversations, ...more }) });

const toolStep = {
  text: "I will write it.",
  reasoning: "A file, then.",
  tools: [
    { name: "write", input: { filePath: "a.txt", content: 'say "hi" 🎉\n'.repeat(20) } },
    { name: "read", input: { filePath: "b.txt" } },
  ],
};

for (const dialect of dialects) {
  const { name } = dialect;

  test(`${name}: text, reasoning and tool calls are streamed and sent whole alike`, async () => {
    await using server = open([{ steps: [toolStep] }], { usage: { inputTokens: 7, outputTokens: 3 } });
    const streamed = await hear(server.url, dialect, [user("go")]);
    const whole = await (await post(server.url, dialect, dialect.body([user("go")]))).json();

    for (const heard of [streamed, dialect.hearWhole(whole)]) {
      expect(heard.text).toBe(toolStep.text);
      expect(heard.reasoning).toBe(toolStep.reasoning);
      expect(heard.calls.map((call) => ({ name: call.name, input: JSON.parse(call.arguments) }))).toEqual(
        toolStep.tools,
      );
      expect(heard.stop).toBe(name === "anthropic" ? "tool_use" : "tool_calls");
    }
    expect(streamed.textDeltas).toBe(4);
    expect(whole.usage).toEqual(dialect.usage.whole);
    const ids = [...streamed.calls, ...dialect.hearWhole(whole).calls].map((call) => call.id);
    expect(new Set(ids).size).toBe(4);
  });

  test(`${name}: each answer plays the next step, and past the last the script is over`, async () => {
    await using server = open([{ steps: [{ text: "one" }, { text: "two" }] }]);
    const messages: unknown[] = [user("go")];
    const texts: string[] = [];
    for (let i = 0; i < 3; i++) {
      const heard = await hear(server.url, dialect, messages);
      texts.push(heard.text);
      expect(heard.calls).toEqual([]);
      expect(heard.stop).toBe(name === "anthropic" ? "end_turn" : "stop");
      messages.push(assistant(heard.text), { role: "tool", tool_call_id: "x", content: "done" });
    }
    expect(texts).toEqual(["one", "two", "The script is over."]);
    expect(server.requests.map((request) => request.stepIndex)).toEqual([0, 1, 2]);
  });

  test(`${name}: the first conversation whose words are in the prompt plays`, async () => {
    await using server = open([
      { when: "paint", steps: [{ text: "painted" }] },
      { when: "sing", steps: [{ text: "sung" }] },
    ]);
    expect((await hear(server.url, dialect, [user("please sing")])).text).toBe("sung");
    expect((await hear(server.url, dialect, [user([{ type: "text", text: "sing and paint" }])])).text).toBe("painted");
    expect((await hear(server.url, dialect, [user("please dance")])).text).toBe(
      "No conversation of the script matches this prompt.",
    );
    expect(server.requests.map((request) => request.conversation)).toEqual([1, 0, null]);
  });

  test(`${name}: a structured answer goes through the StructuredOutput tool when it is on offer`, async () => {
    await using server = open([{ steps: [{ text: "Here:", structured: { done: true } }] }]);
    const offered = await hear(server.url, dialect, [user("go")], ["read", "StructuredOutput"]);
    expect(offered.calls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual([
      ["StructuredOutput", { done: true }],
    ]);
    expect(offered.text).toBe("Here:");
    const plain = await hear(server.url, dialect, [user("go")], ["read"]);
    expect(plain.calls).toEqual([]);
    expect(plain.text).toBe('Here:\n\n```json\n{\n  "done": true\n}\n```');
  });

  test(`${name}: a repeated text arrives as that many deltas, a hundred thousand too`, async () => {
    await using server = open([
      { when: "few", steps: [{ text: "ab ", repeat: 3 }] },
      { steps: [{ text: "x", repeat: 100_000 }] },
    ]);
    expect(await hear(server.url, dialect, [user("few")])).toMatchObject({ text: "ab ab ab ", textDeltas: 3 });
    const flood = await hear(server.url, dialect, [user("many")]);
    expect(flood.textDeltas).toBe(100_000);
    expect(flood.text).toBe("x".repeat(100_000));
  });

  test(`${name}: raw arguments are sent as they are, malformed or not`, async () => {
    await using server = open([{ steps: [{ tools: [{ name: "write", rawInput: '{"filePath": "a' }] }] }]);
    const heard = await hear(server.url, dialect, [user("go")]);
    expect(heard.calls[0]?.arguments).toBe('{"filePath": "a');
    const whole = await (await post(server.url, dialect, dialect.body([user("go")]))).json();
    expect(dialect.hearWhole(whole).calls[0]?.name).toBe("write");
  });

  test(`${name}: a slow answer says the same`, async () => {
    await using server = open([{ steps: [{ text: "one two three", delayMs: 5, deltaDelayMs: 1 }] }]);
    expect((await hear(server.url, dialect, [user("go")])).text).toBe("one two three");
  });

  test(`${name}: a model named no-such-model is not found`, async () => {
    await using server = open([{ steps: [{ text: "hi" }] }]);
    const response = await post(server.url, dialect, dialect.body([user("go")], [], { model: "no-such-model" }));
    expect(response.status).toBe(404);
    expect(dialect.errorCode(await response.json())).toBe(name === "anthropic" ? "not_found_error" : "model_not_found");
    expect(server.requests[0]?.model).toBe("no-such-model");
  });

  test(`${name}: the path works with and without /v1, and with a query`, async () => {
    await using server = open([{ steps: [{ text: "hi" }] }]);
    const short = dialect.path.replace("/v1", "");
    for (const path of [short, `${dialect.path}?beta=true`]) {
      const body = JSON.stringify(dialect.body([user("go")]));
      const response = await fetch(server.url + path, { method: "POST", body });
      expect(dialect.hearWhole(await response.json()).text).toBe("hi");
    }
  });

  test(`${name}: a body that is not JSON, or not a request, is refused with what is wrong`, async () => {
    await using server = open([{ steps: [{ text: "hi" }] }]);
    const url = server.url + dialect.path;
    const broken = await fetch(url, { method: "POST", body: "{" });
    expect([broken.status, (await broken.json()).error.message]).toEqual([400, expect.stringContaining("not JSON")]);
    const wrong = await fetch(url, { method: "POST", body: '{"model":"m"}' });
    expect([wrong.status, (await wrong.json()).error.message]).toEqual([400, expect.stringContaining("messages")]);
    expect(server.requests).toEqual([]);
  });

  test(`${name}: requests are logged with what tells them apart`, async () => {
    await using server = open([{ steps: [{ text: "hi" }] }]);
    const prompt = [
      { type: "text", text: "<system-reminder>be nice</system-reminder>" },
      { type: "text", text: "go" },
    ];
    const header = name === "anthropic" ? "x-claude-code-session-id" : "x-session-id";
    await post(server.url, dialect, dialect.body([user(prompt)], ["read"]), { headers: { [header]: "s1" } });
    expect(server.requests).toEqual([
      {
        api: name,
        model: "model",
        prompt: "go",
        stepIndex: 0,
        conversation: 0,
        session: "s1",
        sideCall: null,
        stream: false,
        messageCount: 1,
        tools: ["read"],
      },
    ]);
  });
}

test("anthropic events come in the order clients insist on", async () => {
  const [anthropic] = dialects;
  if (anthropic === undefined) throw new Error("no dialect");
  await using server = open([{ steps: [{ reasoning: "hm", text: "hi", tools: [{ name: "read" }] }] }]);
  const response = await post(server.url, anthropic, anthropic.body([user("go")], [], { stream: true }));
  expect(response.headers.get("content-type")).toStartWith("text/event-stream");
  const events = parseEvents(await response.text());
  expect(events.every((event) => (event.data as { type: string }).type === event.event)).toBe(true);
  const block = ["content_block_start", "content_block_delta", "content_block_stop"];
  const thinking = ["content_block_start", "content_block_delta", "content_block_delta", "content_block_stop"];
  expect(events.map((event) => event.event)).toEqual([
    "message_start",
    ...thinking,
    ...block,
    ...block,
    "message_delta",
    "message_stop",
  ]);
  expect(events.at(-2)?.data).toMatchObject({ usage: { input_tokens: 100, output_tokens: 20 } });
});

test("openai ends with the usage when asked for it, and with [DONE]", async () => {
  const openai = dialects[1];
  if (openai === undefined) throw new Error("no dialect");
  await using server = open([{ steps: [{ text: "hi" }] }]);
  const ask = async (extra: object) => {
    const response = await post(server.url, openai, openai.body([user("go")], [], { stream: true, ...extra }));
    return parseEvents(await response.text()).map((event) => event.data);
  };
  const asked = await ask({ stream_options: { include_usage: true } });
  expect(asked.at(-1)).toBe("[DONE]");
  expect(asked.at(-2)).toMatchObject({
    choices: [],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  });
  const plain = await ask({});
  expect(plain.at(-1)).toBe("[DONE]");
  expect(plain.some((chunk) => typeof chunk === "object" && chunk !== null && "usage" in chunk)).toBe(false);
});

test("the other endpoints: models, token count, HEAD, and a JSON 404 for the rest", async () => {
  await using server = open([{ steps: [{ text: "hi" }] }]);
  for (const path of ["/v1/models", "/models"]) {
    const models = await (await fetch(server.url + path)).json();
    expect(models).toMatchObject({ object: "list", data: [{ id: "model" }] });
  }
  const count = await fetch(`${server.url}/v1/messages/count_tokens`, { method: "POST", body: "{}" });
  expect(await count.json()).toEqual({ input_tokens: 100 });
  expect((await fetch(`${server.url}/anything`, { method: "HEAD" })).status).toBe(200);
  const missing = await fetch(`${server.url}/v1/messages`);
  expect(missing.status).toBe(404);
  expect((await missing.json()).error.message).toBe("There is nothing at GET /messages.");
});

test("the log keeps the newest 1000 requests", async () => {
  const openai = dialects[1];
  if (openai === undefined) throw new Error("no dialect");
  await using server = open([{ steps: [{ text: "hi" }] }]);
  for (let i = 1; i <= 1001; i++) {
    await (await post(server.url, openai, openai.body([user(`prompt ${i}`)]))).json();
  }
  expect(server.requests.length).toBe(1000);
  expect(server.requests[0]?.prompt).toBe("prompt 2");
  expect(server.requests.at(-1)?.prompt).toBe("prompt 1001");
}, 30_000);

test("a taken port is a fault that names it", async () => {
  await using first = open([{ steps: [{}] }]);
  expect(first.url).toBe(`http://127.0.0.1:${first.port}`);
  const script = Script.parse({ conversations: [{ steps: [{}] }] });
  let thrown: unknown;
  try {
    openModelServer({ script, port: first.port });
  } catch (error) {
    thrown = error;
  }
  expect(isFault(thrown, "port_taken") && thrown.data.port).toBe(first.port);
});
