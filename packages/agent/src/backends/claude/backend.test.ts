import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonSchema, ToolCall } from "@ralpher/contract";
import { parseMark } from "../../process/mark.ts";
import { findMarked } from "../../process/marked.ts";
import { readOnly } from "../../tools/access.ts";
import { createClaudeBackend } from "./backend.ts";
import { type Heard, hear, openStage, type Stage } from "./stage.fixture.ts";

setDefaultTimeout(60_000);

const bash = (command: string) => ({ name: "Bash", input: { command, description: "Test" } });
const tools = ({ events }: Heard): ToolCall[] =>
  events.flatMap((event) => (event.type === "tool.complete" ? [event.tool] : []));
const notices = ({ events }: Heard): string[] =>
  events.flatMap((event) => (event.type === "notice" ? [event.text] : []));
const verdictForm: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: { verdict: { enum: ["yes", "no"] }, pair: { type: "array", prefixItems: [{ type: "string" }] } },
  required: ["verdict"],
};

describe("a turn with Claude Code", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({
      settings: {
        permissions: { ask: ["Bash(touch asked*)"], deny: ["Bash(touch denied*)"], allow: ["Bash", "Write"] },
      },
      conversations: [
        { when: "ask first", steps: [{ tools: [bash("touch asked.txt")] }, { text: "Asked." }] },
        { when: "do what is denied", steps: [{ tools: [bash("touch denied.txt")] }, { text: "Denied." }] },
        {
          when: "plan",
          steps: [{ tools: [{ name: "EnterPlanMode" }] }, { tools: [bash("touch planned.txt")] }, { text: "Planned." }],
        },
        {
          when: "do what only the user allows",
          steps: [
            { tools: [bash("touch written.txt")] },
            { tools: [{ name: "Glob", input: { pattern: "../*" } }] },
            { tools: [{ name: "Glob", input: { pattern: "/etc/*" } }] },
            { tools: [{ name: "Grep", input: { pattern: "root", path: "/etc/passwd" } }] },
            { tools: [{ name: "Grep", input: { pattern: "root", path: " ~" } }] },
            { tools: [{ name: "Glob", input: { pattern: "*" } }] },
            { text: "Tried." },
          ],
        },
        {
          when: "delegate",
          steps: [
            {
              tools: [
                {
                  name: "Agent",
                  input: { description: "Help", prompt: "help the other", subagent_type: "general-purpose" },
                },
              ],
            },
            { text: "It was done for me." },
          ],
        },
        {
          when: "help the other",
          steps: [
            { text: "I help.", tools: [{ name: "Write", input: { file_path: "help.txt", content: "help" } }] },
            { text: "I have helped. <promise>COMPLETE</promise>" },
          ],
        },
        {
          when: "work and judge",
          steps: [{ tools: [bash("echo one")] }, { tools: [bash("echo two")] }, { structured: { verdict: "yes" } }],
        },
        { when: "only talk", steps: [{ text: "It is fine." }, { text: "I was asked again." }] },
        { when: "wait long", steps: [{ fault: { kind: "status", status: 429, retryAfterSeconds: 70 } }] },
        { when: "bad key", steps: [{ fault: { kind: "status", status: 401 } }] },
        {
          when: "stumble",
          steps: [{ text: "Up again.", fault: { kind: "status", status: 500, retryAfterSeconds: 0, times: 1 } }],
        },
        { steps: [{ text: "Hello." }] },
      ],
    });
  });
  afterAll(() => stage[Symbol.asyncDispose]());

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

  test("the agent cannot begin a plan that nobody would approve, and works on", async () => {
    const asked = await stage.request();
    await using session = stage.backend.open(asked);
    const heard = await hear(session.turn("plan"));
    expect(heard.result).toMatchObject({ outcome: "done", text: "Planned." });
    expect(tools(heard).map(({ name, status }) => `${name} ${status}`)).toEqual([
      "EnterPlanMode error",
      "Bash completed",
    ]);
  });

  test("[A-NARROW-2] an allowlist holds where the user's rules allow more, and for patterns that lead outside", async () => {
    const heard = await stage.run("do what only the user allows", { tools: readOnly(["bun test"]) });
    expect(heard.result).toMatchObject({ outcome: "done", text: "Tried." });
    expect(tools(heard).map(({ name, status }) => `${name} ${status}`)).toEqual([
      "Bash error",
      "Glob error",
      "Glob error",
      "Grep error",
      "Grep error",
      "Glob completed",
    ]);
  });

  test.each([undefined, readOnly()])(
    "with tools %j the model reads what it should of the user's set-up",
    async (tools) => {
      const asked = await stage.request({ tools });
      await writeFile(join(asked.directory, "CLAUDE.md"), "Speak like a pirate of the seven seas.");
      await writeFile(join(asked.directory, "..", "chest.txt"), "Ninety doubloons.");
      const bodies: string[] = [];
      await using spy = openSpy(stage.model.url, bodies);
      const backend = createClaudeBackend({ env: { ...stage.env, ANTHROPIC_BASE_URL: spy.url } });
      await using session = backend.open(asked);
      expect(await session.turn("Look into @../chest.txt").result).toMatchObject({ outcome: "done" });
      const isSent = (words: string) => bodies.some((body) => body.includes(words));
      expect(isSent("pirate of the seven seas")).toBe(true);
      // Claude Code's own system prompt, without which it is no Claude Code.
      expect(isSent("Tools are executed in a user-selected permission mode")).toBe(true);
      expect(isSent("Ninety doubloons")).toBe(tools === undefined);
    },
  );

  test("a subagent's tools are seen, and its words are not the agent's", async () => {
    const heard = await stage.run("delegate");
    expect(tools(heard).map(({ name, status }) => `${name} ${status}`)).toEqual(["Write completed", "Agent completed"]);
    expect(heard.result).toMatchObject({
      outcome: "done",
      text: "It was done for me.",
      usage: { inputTokens: 400, outputTokens: 80 },
    });
    const said = heard.events.flatMap((event) => (event.type === "message.complete" ? [event.text] : []));
    expect(said).toEqual(["It was done for me."]);
  });

  test("an allowlist holds for subagents, too", async () => {
    const asked = await stage.request({ tools: { kinds: ["read", "delegate"], commands: [] } });
    await using session = stage.backend.open(asked);
    const heard = await hear(session.turn("delegate"));
    expect(heard.result).toMatchObject({ outcome: "done", text: "It was done for me." });
    expect(tools(heard).map(({ name, status }) => `${name} ${status}`)).toEqual(["Write error", "Agent completed"]);
    expect(await readdir(asked.directory)).toEqual([]);
  });

  test("[A-OUT-1] a structured answer may come after other tools, and in a form of words that Claude Code lacks", async () => {
    const heard = await stage.run("work and judge", {}, { output: verdictForm });
    expect(heard.result).toMatchObject({ outcome: "done", structured: { verdict: "yes" } });
    expect(tools(heard).map(({ name }) => name)).toEqual(["Bash", "Bash"]);
  });

  test("an agent that only talks is not asked again, and does not hear later that it should be", async () => {
    await using session = stage.backend.open(await stage.request());
    const { events, result } = await hear(session.turn("only talk", { output: verdictForm }));
    expect(result).toMatchObject({ outcome: "done", text: "It is fine." });
    await session.turn("greet").result;
    const id = events[0]?.type === "session.start" ? events[0].session.id : "";
    const asked = stage.model.requests.filter(({ session, sideCall }) => session === id && sideCall === null);
    expect(asked.map(({ prompt, messageCount }) => ({ prompt, messageCount }))).toEqual([
      { prompt: "only talk", messageCount: 1 },
      { prompt: "greet", messageCount: 3 },
    ]);
  });

  test("[A-ERR-2] a bad key fails the turn at once, though nobody limits the attempts", async () => {
    const { events, result } = await stage.run("bad key");
    expect(result).toMatchObject({ outcome: "failed", failure: { reason: "auth" } });
    const id = events[0]?.type === "session.start" ? events[0].session.id : "";
    expect(stage.model.requests.filter(({ session }) => session === id)).toHaveLength(1);
  });

  test("Claude Code's own retries are told, and do not fail the turn", async () => {
    const heard = await stage.run("stumble");
    expect(heard.result).toMatchObject({ outcome: "done", text: "Up again." });
    expect(notices(heard)).toEqual([expect.stringContaining("status 500")]);
  });

  test("[A-ERR-1] a limit that Claude Code does not wait for is told with a wait, and once only", async () => {
    const { events, result } = await stage.run("wait long");
    expect(result).toMatchObject({ outcome: "failed", failure: { reason: "rate_limited", retryAfterMs: 60_000 } });
    const id = events[0]?.type === "session.start" ? events[0].session.id : "";
    expect(stage.model.requests.filter(({ session }) => session === id)).toHaveLength(1);
    const once = await stage.run("wait long", { attempts: 1 });
    expect(once.result.outcome === "failed" && once.result.failure).not.toHaveProperty("retryAfterMs");
  });

  test("turns that are begun at once follow each other in one conversation, and leave no process", async () => {
    const former = await ownProcesses();
    const session = stage.backend.open(await stage.request());
    const heard = await Promise.all([hear(session.turn("greet")), hear(session.turn("greet again"))]);
    expect(heard).toMatchObject([{ result: { text: "Hello." } }, { result: { text: "Hello." } }]);
    const [id, second] = heard.map(({ events: [first] }) => (first?.type === "session.start" ? first.session.id : ""));
    expect(second).toBe(id);
    const asked = stage.model.requests.filter(({ session: one, sideCall }) => one === id && sideCall === null);
    expect(asked.map(({ prompt }) => prompt)).toEqual(["greet", "greet again"]);
    const ended = [session.turn("greet").result, session.turn("greet", { output: verdictForm }).result];
    await session[Symbol.asyncDispose]();
    for (const result of ended) expect(await result).toMatchObject({ failure: { reason: "aborted" } });
    expect(await ownProcesses()).toEqual(former);
  });

  test("in a folder that is not there no turn begins", async () => {
    const { events, result } = await stage.run("greet", { directory: "/no/such/folder" });
    expect(result).toMatchObject({ failure: { reason: "missing", message: "There is no folder /no/such/folder." } });
    expect(events).toEqual([]);
  });

  test("[R-BACK-4] the chosen model is asked; what one costs whose price is not known, is unknown", async () => {
    const model = { providerID: "anthropic", modelID: "a-model-of-my-own" };
    const { result } = await stage.run("greet", { model });
    expect(stage.model.requests.at(-1)?.model).toBe("a-model-of-my-own");
    expect(result.usage).toEqual({ inputTokens: 100, outputTokens: 20, costUsd: null });
  });

  test("what turns cost is told of each by itself, over all processes of the session", async () => {
    await using session = stage.backend.open(await stage.request());
    const costs = [];
    for (const output of [undefined, undefined, verdictForm, undefined]) {
      costs.push((await session.turn("greet", { output }).result).usage.costUsd);
    }
    expect(costs).toEqual([0.0006, 0.0006, 0.0006, 0.0006]);
  });

  test("a session that has cost what it may ends with budget, and asks for nothing more", async () => {
    await using session = stage.backend.open(await stage.request({ costLimitUsd: 0.001 }));
    const outcomes = [];
    for (const output of [undefined, verdictForm, undefined]) {
      const { events, result } = await hear(session.turn("greet", { output }));
      outcomes.push(result.outcome === "failed" ? result.failure.reason : result.outcome);
      const id = events[0]?.type === "session.start" ? events[0].session.id : "";
      if (id !== "") expect(stage.model.requests.filter((one) => one.session === id).length).toBeLessThanOrEqual(2);
    }
    expect(outcomes).toEqual(["done", "budget", "budget"]);
  });

  test("a turn that was given up is part of the record that the next one goes on from", async () => {
    await using session = stage.backend.open(await stage.request());
    const { events } = await hear(session.turn("greet"));
    expect(await session.turn("bad key").result).toMatchObject({ outcome: "failed", failure: { reason: "auth" } });
    expect(await session.turn("greet again").result).toMatchObject({ outcome: "done", usage: { costUsd: 0.0006 } });
    const id = events[0]?.type === "session.start" ? events[0].session.id : "";
    const sizes = stage.model.requests.flatMap((one) => (one.session === id ? [one.messageCount] : []));
    expect(sizes.length).toBe(3);
    expect(sizes.at(-1)).toBeGreaterThan(sizes[1] ?? Number.NaN);
  });
});

test("the user's MCP servers serve the agent, but not one with an allowlist", async () => {
  await using stage = await openStage({
    conversations: [{ steps: [{ tools: [{ name: "mcp__user__leave", input: {} }] }, { text: "Tried." }] }],
  });
  const left = join(stage.env.HOME ?? "", "left.txt");
  const server = { command: process.execPath, args: [join(import.meta.dir, "mcp-server.fixture.ts"), left] };
  const state = { mcpServers: { user: { type: "stdio", ...server } } };
  await writeFile(join(stage.env.CLAUDE_CONFIG_DIR ?? "", ".claude.json"), JSON.stringify(state));

  const narrowed = await stage.run("leave a file", { tools: { kinds: ["edit", "run", "web"], commands: [] } });
  expect(tools(narrowed)).toMatchObject([{ name: "mcp__user__leave", status: "error" }]);
  expect(await readdir(stage.env.HOME ?? "")).not.toContain("left.txt");

  expect(tools(await stage.run("leave a file"))).toMatchObject([{ name: "mcp__user__leave", status: "completed" }]);
  expect(await readdir(stage.env.HOME ?? "")).toContain("left.txt");
});

test("a user whose sessions begin with a plan gets work, too", async () => {
  await using stage = await openStage({
    settings: { permissions: { defaultMode: "plan" } },
    conversations: [
      {
        steps: [
          { tools: [{ name: "ExitPlanMode", input: { plan: "Make it." } }] },
          { tools: [{ name: "Write", input: { file_path: "made.txt", content: "made" } }] },
          { text: "Made." },
        ],
      },
    ],
  });
  const asked = await stage.request();
  await using session = stage.backend.open(asked);
  expect(await session.turn("make it").result).toMatchObject({ outcome: "done", text: "Made." });
  expect(await readdir(asked.directory)).toEqual(["made.txt"]);
});

test("settings that do not load are told, for the user's rules do not hold then", async () => {
  await using stage = await openStage({ conversations: [{ steps: [{ text: "Hello." }] }] });
  const asked = await stage.request();
  await mkdir(join(asked.directory, ".claude"));
  await writeFile(join(asked.directory, ".claude", "settings.json"), "{ no json");
  await using session = stage.backend.open(asked);
  const heard = await hear(session.turn("greet"));
  expect(heard.result).toMatchObject({ outcome: "done" });
  expect(notices(heard)).toEqual([expect.stringContaining("settings.json")]);
});

/** What this process has started and must end. */
async function ownProcesses(): Promise<number[]> {
  return (await findMarked((mark) => parseMark(mark)?.pid === process.pid)).map(({ pid }) => pid);
}

/** Passes requests on to the model, and keeps what they say. */
function openSpy(target: string, bodies: string[]): AsyncDisposable & { url: string } {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const body = await request.text();
      if (body !== "") bodies.push(body);
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      return await fetch(target + pathname + search, { method, headers, ...(body === "" ? {} : { body }) });
    },
  });
  return { url: server.url.origin, [Symbol.asyncDispose]: () => server.stop(true) };
}
