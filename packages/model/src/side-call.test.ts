import { expect, test } from "bun:test";
import { Script } from "@ralpher/contract";
import { assistant, type Dialect, dialects, hear, post, user } from "./dialect.fixture.ts";
import { type ModelServer, openModelServer } from "./model-server.ts";

const script = Script.parse({ conversations: [{ steps: [{ text: "step one" }, { text: "step two" }] }] });

async function say(server: ModelServer, dialect: Dialect, messages: unknown[], extra: Record<string, unknown> = {}) {
  const response = await post(server.url, dialect, dialect.body(messages, [], extra));
  return dialect.hearWhole(await response.json()).text;
}

for (const dialect of dialects) {
  test(`${dialect.name}: opencode's titles and summaries are answered shortly and take no step`, async () => {
    await using server = openModelServer({ script });
    const history = [user("go"), assistant("step one")];
    const title = await say(server, dialect, history, dialect.system("You are a title generator. You output ONLY…"));
    const summary = await say(
      server,
      dialect,
      [...history, user("Provide a summary")],
      dialect.system("You are a context summarization agent. You are given…"),
    );
    expect(title).toBe("Scripted session");
    expect(summary).toContain("went on");
    expect((await hear(server.url, dialect, history)).text).toBe("step two");
    expect(server.requests.map((request) => [request.sideCall, request.stepIndex])).toEqual([
      ["title", null],
      ["summary", null],
      [null, 1],
    ]);
  });

  test(`${dialect.name}: Claude Code's suggestions and compaction are answered shortly and take no step`, async () => {
    await using server = openModelServer({ script });
    const history = [user("go"), assistant("step one")];
    const suggestion = user([
      { type: "text", text: "<system-reminder>be nice</system-reminder>" },
      { type: "text", text: "[SUGGESTION MODE: Suggest what the user might type next]" },
    ]);
    expect(await say(server, dialect, [...history, suggestion])).toBe("go on");
    const compaction = user("CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.");
    expect(await say(server, dialect, [...history, compaction])).toStartWith("<summary>");
    expect(await say(server, dialect, [user("quota")], { max_tokens: 1 })).toBe("Yes");
    expect(server.requests.map((request) => request.sideCall)).toEqual(["suggestion", "compaction", "probe"]);
  });
}

test("Claude Code's title is JSON as its schema asks", async () => {
  const [anthropic] = dialects;
  if (anthropic === undefined) throw new Error("no dialect");
  await using server = openModelServer({ script });
  const format = { type: "json_schema", schema: { type: "object", properties: { title: { type: "string" } } } };
  const text = await say(server, anthropic, [user("go")], { output_config: { format } });
  expect(JSON.parse(text)).toEqual({ title: "Scripted session" });
  expect(server.requests[0]?.sideCall).toBe("title");
});

test("a person's words that only mention a side call are a prompt", async () => {
  const [, openai] = dialects;
  if (openai === undefined) throw new Error("no dialect");
  await using server = openModelServer({ script });
  const prompt = "Explain what [SUGGESTION MODE: and You are a title generator mean";
  expect((await hear(server.url, openai, [user(prompt)])).text).toBe("step one");
});
