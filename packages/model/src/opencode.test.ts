import { expect, test } from "bun:test";
import { join } from "node:path";
import { Script } from "@ralpher/contract";
import { dialects } from "./dialect.fixture.ts";
import { openModelServer } from "./model-server.ts";
import { openOpencodeHome } from "./opencode.fixture.ts";

const script = Script.parse({
  usage: { inputTokens: 70, outputTokens: 30 },
  conversations: [
    {
      when: "greeting",
      steps: [
        {
          reasoning: "A file is wanted.",
          text: "I will write it.",
          tools: [{ name: "write", input: { filePath: "greeting.txt", content: "hello\n" } }],
        },
        {
          text: "The greeting is there.",
          tools: [{ name: "bash", input: { command: "cp greeting.txt copy.txt", description: "copy" } }],
        },
        { text: "All done." },
      ],
    },
  ],
});

type Part = { type: string; part: { text?: string; tokens?: { input: number; output: number } } };

for (const { name } of dialects) {
  test(`the real opencode plays a script over the ${name} API: its tools run, its side calls take no step`, async () => {
    await using server = openModelServer({ script });
    await using home = await openOpencodeHome(server.url, name);
    const { exitCode, stdout, stderr } = await home.run("Write a greeting, please.");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });

    expect(await Bun.file(join(home.work, "greeting.txt")).text()).toBe("hello\n");
    expect(await Bun.file(join(home.work, "copy.txt")).text()).toBe("hello\n");

    const parts = stdout
      .trim()
      .split("\n")
      .map((line): Part => JSON.parse(line));
    const texts = parts.flatMap((part) => (part.type === "text" ? [part.part.text] : []));
    expect(texts).toEqual(["I will write it.", "The greeting is there.", "All done."]);
    const tokens = parts.flatMap((part) => (part.type === "step_finish" ? [part.part.tokens] : []));
    expect(tokens).toHaveLength(3);
    for (const used of tokens) expect(used).toMatchObject({ input: 70, output: 30 });

    expect(server.requests.every((request) => request.api === name && request.stream)).toBe(true);
    expect(server.requests.filter((request) => request.sideCall !== null).map((r) => r.sideCall)).toEqual(["title"]);
    const steps = server.requests.filter((request) => request.sideCall === null);
    expect(steps.map((request) => request.stepIndex)).toEqual([0, 1, 2]);
    expect(new Set(server.requests.map((request) => request.session)).size).toBe(1);
    expect(steps[0]?.prompt).toContain("Write a greeting, please.");
    expect(steps[0]?.tools).toContain("write");
  }, 90_000);
}
