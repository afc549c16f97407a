import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFault } from "@ralpher/contract";
import { readScript } from "./read-script.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ralpher-script-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function write(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

async function faultOf(name: string, text: string): Promise<string> {
  const path = await write(name, text);
  const error = await readScript(path).catch((e: unknown) => e);
  if (!isFault(error, "script_invalid")) throw new Error("no script_invalid fault", { cause: error });
  expect(error.data.path).toBe(path);
  return error.data.detail;
}

test("a YAML script is read with its defaults", async () => {
  const path = await write("ok.yaml", "conversations:\n  - when: go\n    steps:\n      - text: Hello\n");
  expect(await readScript(path)).toEqual({
    usage: { inputTokens: 100, outputTokens: 20 },
    conversations: [{ when: "go", steps: [{ text: "Hello", repeat: 1, tools: [], delayMs: 0, deltaDelayMs: 0 }] }],
  });
});

test("a JSON script is read, indented with tabs too", async () => {
  const script = { conversations: [{ steps: [{ text: 'say: "hi" # not a comment' }] }] };
  const path = await write("ok.json", JSON.stringify(script, null, "\t"));
  expect((await readScript(path)).conversations[0]?.steps[0]?.text).toBe('say: "hi" # not a comment');
});

test("a wrong field is told with its line and path", async () => {
  const detail = await faultOf("wrong.yaml", "conversations:\n  - steps:\n      - text: hi\n        repeat: many\n");
  expect(detail).toStartWith("line 4: conversations.0.steps.0.repeat: ");
});

test("an unknown field is told with the line it is on", async () => {
  const detail = await faultOf("unknown.yaml", "conversations:\n  - steps:\n      - text: hi\n        txet: hi\n");
  expect(detail).toStartWith("line 4: conversations.0.steps.0: ");
  expect(detail).toContain("txet");
});

test("a missing field is told with the line of what lacks it", async () => {
  const detail = await faultOf("missing.yaml", "# a script\nconversations:\n  - when: a\n");
  expect(detail).toStartWith("line 3: conversations.0.steps: ");
});

test("an unknown kind of fault is told with its path", async () => {
  const detail = await faultOf("kind.yaml", "conversations:\n  - steps:\n      - fault: { kind: boom }\n");
  expect(detail).toStartWith("line 3: conversations.0.steps.0.fault.kind: ");
});

test("broken YAML is told with its line", async () => {
  expect(await faultOf("broken.yaml", 'conversations:\n  - when: "a\n')).toStartWith("line ");
  expect(await faultOf("broken.json", '{"conversations": [}')).toStartWith("line 1: ");
});

test("an empty file is no script", async () => {
  expect(await faultOf("empty.yaml", "")).toStartWith("line 1: ");
});

test("a script that is not there is told so", async () => {
  const error = await readScript(join(folder, "nowhere.yaml")).catch((e: unknown) => e);
  expect(isFault(error, "script_invalid") && error.data.detail).toBe("there is no such file");
});

test("aliases that multiply without measure are refused", async () => {
  const lines = ["a: &a [x, x, x, x, x, x, x, x, x]"];
  for (const [from, to] of ["ab", "bc", "cd", "de", "ef"]) lines.push(`${to}: &${to} [${Array(9).fill(`*${from}`)}]`);
  expect(await faultOf("bomb.yaml", `${lines.join("\n")}\n`)).toBe("its aliases cannot be resolved");
});

test("every example of the README that is a script is one", async () => {
  const readme = await Bun.file(join(import.meta.dir, "../README.md")).text();
  const examples = [...readme.matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) => match[1] ?? "");
  expect(examples).toHaveLength(4);
  for (const [i, example] of examples.entries()) {
    // Examples of steps or usage alone are put into a script.
    const indented = example.replaceAll(/^/gm, "    ");
    const steps = example.startsWith("steps:") ? `conversations:\n  -\n${indented}\n` : example;
    const script = example.startsWith("usage:") ? `${example}conversations: [{ steps: [{}] }]\n` : steps;
    await readScript(await write(`readme-${i}.yaml`, script));
  }
});
