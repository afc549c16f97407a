import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ToolAccess, ToolCall } from "@ralpher/contract";
import { type Heard, hear, openStage, type Stage } from "./stage.fixture.ts";

setDefaultTimeout(60_000);

const bash = (line: string) => ({ name: "bash", input: { command: line, description: "Test" } });
const write = (filePath: string) => ({ name: "write", input: { filePath, content: "x" } });
const read = (filePath: string) => ({ name: "read", input: { filePath } });
const ends = ({ events }: Heard): ToolCall[] =>
  events.flatMap((event) => (event.type === "tool.complete" ? [event.tool] : []));
const statuses = (heard: Heard) =>
  ends(heard)
    .map(({ name, status }) => `${name} ${status}`)
    .toSorted();
const only = (kinds: ToolAccess["kinds"], commands: string[] = []): ToolAccess => ({ kinds, commands });

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({
    config: { permission: { bash: { "*": "allow", "touch denied*": "deny" }, read: { "*.key": "deny" } } },
    conversations: [
      { when: "touch", steps: [{ tools: [bash("touch a.txt"), bash("touch denied.txt")] }, { text: "Touched." }] },
      {
        when: "look around",
        steps: [
          { tools: [read("a.txt"), read("secret.key"), read("link.txt"), read("../b.txt"), read(".")] },
          {
            tools: [
              { name: "glob", input: { pattern: "*", path: ".." } },
              { name: "webfetch", input: { url: "x" } },
            ],
          },
          { text: "Looked." },
        ],
      },
      {
        when: "run things",
        steps: [
          {
            tools: [
              bash("sh allowed.sh && touch a.txt"),
              bash("sh allowed.sh > a.txt"),
              bash("sh allowed.sh $(touch a.txt)"),
              bash("sh allowed.sh 2>&1 | tail -5"),
              bash("cd . > a.txt"),
              bash("> a.txt"),
              bash("export A=1 > a.txt"),
              bash("[[ a = a ]] > a.txt"),
            ],
          },
          { text: "Run." },
        ],
      },
      {
        when: "delegate",
        steps: [
          {
            tools: [
              { name: "task", input: { description: "Help", prompt: "help the other", subagent_type: "general" } },
            ],
          },
          { text: "Delegated." },
        ],
      },
      {
        when: "help the other",
        steps: [
          { tools: [read("a.txt"), write("b.txt"), bash("touch c.txt"), read("/etc/hostname")] },
          { text: "I helped." },
        ],
      },
    ],
  });
});
afterAll(() => stage[Symbol.asyncDispose]());

/** One prompt to an agent that may do so much, in a folder with a file or two. */
async function run(prompt: string, tools: ToolAccess, files: string[] = []) {
  const asked = await stage.request({ tools });
  for (const file of files) await writeFile(join(asked.directory, file), "echo yes >> ran.txt\n");
  await using session = stage.backend.open(asked);
  const heard = await hear(session.turn(prompt));
  return { heard, directory: asked.directory };
}

test("what is allowed is still held to the user's own denials", async () => {
  const { heard, directory } = await run("touch", only(["run"]));
  expect(statuses(heard)).toEqual(["bash completed", "bash error"]);
  expect(await readdir(directory)).toEqual(["a.txt"]);
});

test("reading ends at the directory, whatever link leads out of it, and what is denied by the user stays so", async () => {
  const asked = await stage.request({ tools: only(["read", "search"]) });
  const { directory } = asked;
  await writeFile(join(directory, "..", "b.txt"), "out of bounds");
  await writeFile(join(directory, "a.txt"), "a");
  await writeFile(join(directory, "secret.key"), "secret");
  await symlink(join(directory, "..", "b.txt"), join(directory, "link.txt"));
  await using session = stage.backend.open(asked);
  const heard = await hear(session.turn("look around"));
  expect(heard.result).toMatchObject({ outcome: "done", text: "Looked." });
  const byPath = ends(heard).map(({ name, input, status }) => {
    const { filePath, path, url } = input as Record<string, string>;
    return `${name} ${filePath ?? path ?? url}: ${status}`;
  });
  expect(byPath.toSorted()).toEqual([
    "glob ..: error",
    "read ../b.txt: error",
    "read .: completed",
    "read a.txt: completed",
    "read link.txt: error",
    "read secret.key: error",
    "webfetch x: error",
  ]);
});

test("in a folder of a larger repository the agent stays in the folder", async () => {
  const asked = await stage.request({ tools: only(["read"]) });
  Bun.spawnSync(["git", "init", "-q", asked.directory]);
  await writeFile(join(asked.directory, "b.txt"), "the neighbour's");
  const directory = join(asked.directory, "inner");
  await mkdir(directory);
  await writeFile(join(directory, "a.txt"), "a");
  await using session = stage.backend.open({ ...asked, directory });
  const heard = await hear(session.turn("look around"));
  const inner = ends(heard)
    .toSorted((a, b) => (a.status < b.status ? -1 : 1))
    .filter(({ input }) => ["a.txt", "../b.txt"].includes((input as { filePath: string }).filePath));
  expect(inner.map(({ status }) => status)).toEqual(["completed", "error"]);
});

test("a command is judged by its whole line", async () => {
  const { heard, directory } = await run("run things", only([], ["sh allowed.sh"]), ["allowed.sh"]);
  expect(statuses(heard)).toEqual(["bash completed", ...Array(7).fill("bash error")]);
  expect((await readdir(directory)).toSorted()).toEqual(["allowed.sh", "ran.txt"]);
});

test("who may not delegate has no subagents", async () => {
  const { heard } = await run("delegate", only(["read"]));
  expect(statuses(heard)).toEqual(["task error"]);
});

test("a subagent is held to the rules of the agent that calls it", async () => {
  const { heard, directory } = await run("delegate", only(["read", "delegate"], ["touch"]), ["a.txt"]);
  expect(statuses(heard)).toEqual(["bash error", "read completed", "read error", "task completed", "write error"]);
  expect(await readdir(directory)).toEqual(["a.txt"]);
  expect(heard.result).toMatchObject({ outcome: "done", text: "Delegated.", usage: { inputTokens: 400 } });
  const offered = stage.model.requests.findLast(({ prompt }) => prompt === "help the other")?.tools;
  expect(offered).toContain("read");
  expect(offered).not.toContain("write");
});

test("where the guard is not at work, what slips through opencode's own rules ends the turn", async () => {
  await using unguarded = await openStage({
    env: { OPENCODE_PURE: "1" },
    conversations: [
      { when: "ask", steps: [{ tools: [bash("touch a.txt")] }, { tools: [bash("sh allowed.sh")] }, { text: "Done." }] },
      { when: "slip", steps: [{ tools: [bash("cd . > a.txt")] }, { text: "Done." }] },
    ],
  });
  const tools = only([], ["sh allowed.sh"]);
  const asked = await unguarded.run("ask", { tools });
  expect(ends(asked).map(({ status }) => status)).toEqual(["error", "completed"]);
  expect(asked.result).toMatchObject({ outcome: "done", text: "Done." });
  const { result } = await unguarded.run("slip", { tools });
  expect(result).toMatchObject({ outcome: "failed", failure: { reason: "protocol" } });
});
