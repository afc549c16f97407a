import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentEvent, SessionRequest, TurnResult } from "@ralpher/contract";
import { createScriptedBackend } from "./backend.ts";

let folder: string;
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ralpher-script-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function writeScript(text: string): Promise<string> {
  const file = join(folder, `${files++}.yaml`);
  await writeFile(file, text);
  return file;
}

const request = (script: string): SessionRequest => ({
  directory: folder,
  backend: { type: "scripted", mode: "spawn", script },
  title: "Test",
  idleTimeoutMs: 10_000,
  signal: new AbortController().signal,
});

async function run(
  script: string,
  prompt: string,
  backend = createScriptedBackend(),
): Promise<{ events: AgentEvent[]; result: TurnResult }> {
  await using session = backend.open(request(script));
  const turn = session.turn(prompt);
  const events: AgentEvent[] = [];
  for await (const event of turn) events.push(event);
  return { events, result: await turn.result };
}

test("a status that comes a number of times gives way to the answer, in whichever session", async () => {
  const script = await writeScript(`
conversations:
  - steps:
      - text: At last.
        fault: { kind: status, status: 429, times: 2, retryAfterSeconds: 1.5 }
`);
  const backend = createScriptedBackend();
  const outcomes = [];
  for (let i = 0; i < 3; i++) outcomes.push((await run(script, "go", backend)).result);
  expect(outcomes).toMatchObject([
    { outcome: "failed", failure: { reason: "rate_limited", retryAfterMs: 1500 } },
    { outcome: "failed", failure: { reason: "rate_limited", retryAfterMs: 1500 } },
    { outcome: "done", text: "At last." },
  ]);
});

test("files are written and read where the agent works, and a failing tool is a tool that failed", async () => {
  const script = await writeScript(`
conversations:
  - steps:
      - tools:
          - { name: write, input: { filePath: deep/in/it.txt, content: found } }
          - { name: read, input: { filePath: deep/in/it.txt } }
          - { name: read, input: { filePath: nowhere.txt } }
          - { name: bash, input: { command: "echo out; echo err >&2; exit 3" } }
          - { name: bash, rawInput: "{not json" }
          - { name: mystery, input: { any: thing } }
      - text: Done.
`);
  const { events, result } = await run(script, "go");
  const tools = events.flatMap((event) => (event.type === "tool.complete" ? [event.tool] : []));
  expect(tools.map(({ name, status }) => `${name} ${status}`)).toEqual([
    "write completed",
    "read completed",
    "read error",
    "bash error",
    "bash error",
    "mystery completed",
  ]);
  expect(tools[1]?.output).toBe("found");
  expect(tools[3]?.output).toBe("out\nerr\n");
  expect(tools[5]).toMatchObject({ input: { any: "thing" }, output: "" });
  expect(result).toMatchObject({ outcome: "done", text: "Done.", usage: { inputTokens: 200, outputTokens: 40 } });
});

test("what is added to the environment reaches what it runs, and a request's own counts more", async () => {
  const script = await writeScript(`
conversations:
  - steps:
      - tools: [{ name: bash, input: { command: "echo $ONE $TWO" } }]
      - text: Done.
`);
  const backend = createScriptedBackend({ env: { ONE: "1", TWO: "2" } });
  await using session = backend.open({ ...request(script), env: { TWO: "two" } });
  const turn = session.turn("go");
  const outputs = [];
  for await (const event of turn) if (event.type === "tool.complete") outputs.push(event.tool.output);
  expect(outputs).toEqual(["1 two\n"]);
});

test("past its last step the script says so, and so it does to a prompt it does not know", async () => {
  const script = await writeScript(`
conversations:
  - when: known
    steps:
      - tools: [{ name: mystery }]
`);
  expect((await run(script, "known")).result).toMatchObject({ text: "The script is over." });
  expect((await run(script, "other")).result).toMatchObject({
    text: "No conversation of the script matches this prompt.",
  });
});

test("a structured answer comes as a block of JSON", async () => {
  const script = await writeScript("conversations: [{ steps: [{ structured: { done: true } }] }]");
  expect((await run(script, "go")).result).toMatchObject({ text: '```json\n{"done":true}\n```' });
});

test.each([
  ["is no script", "conversations: []"],
  ["is no YAML", "conversations: [}"],
])("a file that %s fails the turn for good, and names the file", async (_, text) => {
  const script = await writeScript(text);
  const { result } = await run(script, "go");
  expect(result).toMatchObject({
    outcome: "failed",
    failure: { reason: "missing", message: expect.stringContaining(script) },
  });
});

test("a player may be given in place of a script, and may fail", async () => {
  const backend = createScriptedBackend({
    async *play({ prompt, prompts }) {
      yield { type: "notice", text: `${prompts.length}: ${prompt}` };
      throw new Error("no more");
    },
  });
  const { events, result } = await run("", "go", backend);
  expect(events.at(-1)).toEqual({ type: "notice", text: "1: go" });
  expect(result).toMatchObject({ outcome: "failed", failure: { reason: "unknown", message: "no more" } });
});
