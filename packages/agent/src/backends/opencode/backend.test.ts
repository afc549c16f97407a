import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdir } from "node:fs/promises";
import type { ToolCall } from "@ralpher/contract";
import { type Heard, hear, openStage, type Stage } from "./stage.fixture.ts";

setDefaultTimeout(60_000);

const bash = (line: string) => ({ name: "bash", input: { command: line, description: "Test" } });
const tools = ({ events }: Heard): ToolCall[] =>
  events.flatMap((event) => (event.type === "tool.complete" ? [event.tool] : []));
const notices = ({ events }: Heard): string[] =>
  events.flatMap((event) => (event.type === "notice" ? [event.text] : []));

describe("a turn with opencode", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({
      config: { permission: { bash: { "*": "allow", "touch asked*": "ask", "touch denied*": "deny" } } },
      conversations: [
        {
          when: "stumble",
          steps: [{ text: "Up again.", fault: { kind: "status", status: 429, retryAfterSeconds: 0, times: 2 } }],
        },
        {
          when: "wait long",
          steps: [{ fault: { kind: "status", status: 429, retryAfterSeconds: 3600 } }],
        },
        {
          when: "wait a little",
          steps: [{ text: "Waited.", fault: { kind: "status", status: 503, retryAfterSeconds: 4, times: 1 } }],
        },
        {
          when: "ask first",
          steps: [{ tools: [bash("touch asked.txt")] }, { text: "Asked." }],
        },
        {
          when: "do what is denied",
          steps: [{ tools: [bash("touch denied.txt")] }, { text: "Denied." }],
        },
        {
          when: "ask a human",
          steps: [
            {
              tools: [
                {
                  name: "question",
                  input: {
                    questions: [{ question: "Which?", header: "Which", options: [{ label: "a", description: "" }] }],
                  },
                },
              ],
            },
            { text: "Nobody there." },
          ],
        },
        {
          when: "delegate",
          steps: [
            {
              tools: [
                {
                  name: "task",
                  input: { description: "Help", prompt: "help the other", subagent_type: "general" },
                },
              ],
            },
            { text: "It was done for me." },
          ],
        },
        {
          when: "help the other",
          steps: [
            { text: "I help.", tools: [{ name: "write", input: { filePath: "help.txt", content: "help" } }] },
            { text: "I have helped. <promise>COMPLETE</promise>" },
          ],
        },
        { steps: [{ text: "Hello." }] },
      ],
    });
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  test("opencode's own retries are told, and do not fail the turn", async () => {
    const heard = await stage.run("stumble");
    expect(heard.result).toMatchObject({ outcome: "done", text: "Up again." });
    expect(notices(heard)).toHaveLength(2);
  });

  test("a provider that asks for a long wait fails the turn at once as rate_limited, with the wait", async () => {
    const { result } = await stage.run("wait long");
    expect(result).toMatchObject({ outcome: "failed", failure: { reason: "rate_limited" } });
    expect(result.outcome === "failed" && result.failure.retryAfterMs).toBeGreaterThan(3_000_000);
  });

  test("a wait that the provider asked for is not silence", async () => {
    const asked = await stage.request();
    // The first prompt in a folder takes opencode a while, which is not what this is about.
    await using warm = stage.backend.open(asked);
    await hear(warm.turn("hello"));
    await using session = stage.backend.open({ ...asked, idleTimeoutMs: 2500 });
    expect(await session.turn("wait a little").result).toMatchObject({ outcome: "done", text: "Waited." });
  });

  test("what the user's rules ask about is granted, for nobody is there to ask", async () => {
    const asked = await stage.request();
    await using session = stage.backend.open(asked);
    expect(await session.turn("ask first").result).toMatchObject({ outcome: "done", text: "Asked." });
    expect(await readdir(asked.directory)).toEqual(["asked.txt"]);
  });

  test("what the user's rules deny stays denied", async () => {
    const asked = await stage.request();
    await using session = stage.backend.open(asked);
    expect(await session.turn("do what is denied").result).toMatchObject({ outcome: "done", text: "Denied." });
    expect(await readdir(asked.directory)).toEqual([]);
  });

  test("a question to a human does not stop the agent", async () => {
    expect((await stage.run("ask a human")).result).toMatchObject({ outcome: "done", text: "Nobody there." });
  });

  test("a subagent's tools are seen, and its words are not the agent's", async () => {
    const heard = await stage.run("delegate");
    expect(tools(heard).map(({ name, status }) => `${name} ${status}`)).toEqual(["write completed", "task completed"]);
    expect(heard.result).toMatchObject({
      outcome: "done",
      text: "It was done for me.",
      usage: { inputTokens: 400, outputTokens: 80 },
    });
    const said = heard.events.flatMap((event) => (event.type === "message.complete" ? [event.text] : []));
    expect(said).toEqual(["It was done for me."]);
  });

  test("[R-BACK-4] the chosen model is asked, and one that opencode does not know fails the turn as model", async () => {
    await stage.run("hello", { model: { providerID: "scripted", modelID: "no-such-model" } });
    expect(stage.model.requests.at(-1)?.model).toBe("no-such-model");
    const { result } = await stage.run("hello", { model: { providerID: "scripted", modelID: "unheard-of" } });
    expect(result).toMatchObject({ outcome: "failed", failure: { reason: "model" } });
    expect(stage.model.requests.at(-1)?.model).toBe("no-such-model");
  });

  test("turns that are begun at once follow each other in one conversation", async () => {
    await using session = stage.backend.open(await stage.request());
    const heard = await Promise.all([hear(session.turn("hello")), hear(session.turn("hello again"))]);
    expect(heard).toMatchObject([{ result: { text: "Hello." } }, { result: { text: "Hello." } }]);
    const [id, second] = heard.map(({ events: [first] }) => (first?.type === "session.start" ? first.session.id : ""));
    expect(second).toBe(id);
  });

  test("in a folder that is not there no turn begins", async () => {
    const { events, result } = await stage.run("hello", { directory: "/no/such/folder" });
    expect(result).toMatchObject({ failure: { reason: "missing", message: "There is no folder /no/such/folder." } });
    expect(events).toEqual([]);
  });

  test("a session's place is told, so that people can look it up", async () => {
    const { events } = await stage.run("hello");
    expect(events[0]).toMatchObject({
      type: "session.start",
      session: { id: expect.stringMatching(/^ses_/), serverUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) },
    });
  });
});

test("it works the same with Anthropic's wire format", async () => {
  await using stage = await openStage({
    provider: "anthropic",
    conversations: [
      {
        steps: [
          {
            reasoning: "Hm.",
            text: "I write.",
            tools: [{ name: "write", input: { filePath: "a.txt", content: "a" } }],
          },
          { text: "Written." },
        ],
      },
    ],
  });
  const heard = await stage.run("write");
  expect(heard.result).toEqual({
    outcome: "done",
    text: "Written.",
    usage: { inputTokens: 200, outputTokens: 40, costUsd: null },
  });
  expect(tools(heard)).toMatchObject([{ name: "write", status: "completed" }]);
  expect(stage.model.requests.every(({ api }) => api === "anthropic")).toBe(true);
});
