import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readOnly } from "../../tools/access.ts";
import { claude, hear, noticesOf, opencode, openStage, type Stage, toolsOf } from "./stage.fixture.ts";

setDefaultTimeout(60_000);

const { write, run } = opencode.dialect;

describe("opencode acp", () => {
  let stage: Stage;
  beforeAll(async () => {
    // The user's own set-up: one of its agents may do anything, and opencode's own agents ask before they run a command.
    const config = {
      permission: { bash: { "*": "ask", "touch denied*": "deny" }, edit: "ask" },
      agent: { build: { permission: { webfetch: "allow", edit: "allow" } } },
    };
    stage = await openStage(
      opencode,
      [
        { when: "ask first", steps: [{ tools: [run("touch asked.txt")] }, { text: "Asked." }] },
        { when: "be denied", steps: [{ tools: [run("touch denied.txt")] }, { text: "Denied." }] },
        { when: "write it", steps: [{ tools: [write("a.txt", "a")] }, { text: "Written." }] },
        {
          when: "delegate",
          steps: [
            {
              tools: [
                { name: "task", input: { description: "Help", prompt: "help the other", subagent_type: "general" } },
              ],
            },
            { text: "It was done." },
          ],
        },
        { when: "help the other", steps: [{ tools: [run("touch helped.txt")] }, { text: "I have helped." }] },
        {
          when: "stumble",
          steps: [{ text: "Up again.", fault: { kind: "status", status: 429, retryAfterSeconds: 0.1, times: 2 } }],
        },
        { steps: [{ text: "Hello." }] },
      ],
      config,
    );
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  test("what the user's rules ask about is granted, and what they deny stays denied", async () => {
    const asked = await stage.request();
    await using session = stage.backend.open(asked);
    expect(await session.turn("ask first").result).toMatchObject({ outcome: "done", text: "Asked." });
    expect(await session.turn("be denied").result).toMatchObject({ outcome: "done", text: "Denied." });
    expect(await readdir(asked.directory)).toEqual(["asked.txt"]);
  });

  test("what the user's rules allow an agent is still not allowed where there is an allowlist without it", async () => {
    const asked = await stage.request({ tools: readOnly() });
    await using session = stage.backend.open(asked);
    expect(await session.turn("write it").result).toMatchObject({ outcome: "done", text: "Written." });
    expect(await readdir(asked.directory)).toEqual([]);
  });

  test("with an allowlist that allows subagents there are none, for what they ask nobody hears", async () => {
    const asked = await stage.request({ tools: { kinds: ["read", "run", "delegate"], commands: [] } });
    await using session = stage.backend.open(asked);
    const heard = await hear(session.turn("delegate"));
    expect(heard.result).toMatchObject({ outcome: "done", text: "It was done." });
    expect(toolsOf(heard)).toMatchObject([{ name: "task", status: "error" }]);
    expect(await readdir(asked.directory)).toEqual([]);
  });

  test("a subagent that asks for something holds nothing up: the turn fails, and says what is to be set", async () => {
    const { result } = await stage.run("delegate");
    expect(result).toMatchObject({
      outcome: "failed",
      failure: { reason: "protocol", message: expect.stringContaining('"bash"') },
    });
  });

  test("its own tries are told, and do not fail the turn", async () => {
    const heard = await stage.run("stumble");
    expect(heard.result).toMatchObject({ outcome: "done", text: "Up again." });
    expect(noticesOf(heard)).toHaveLength(2);
  });

  test("[R-BACK-4] the chosen model is asked, and one that only the provider does not know fails as model too", async () => {
    const { result } = await stage.run("hello", { model: { providerID: "scripted", modelID: "no-such-model" } });
    // Not the last of all: what the agent asks on the side, for the test before, may come after it.
    expect(stage.model.requests.map(({ model }) => model)).toContain("no-such-model");
    expect(result).toMatchObject({ outcome: "failed", failure: { reason: "model" } });
  });

  test("tokens of a turn with several answers are unknown, for it tells those of the last only", async () => {
    const asked = await stage.request();
    await using session = stage.backend.open(asked);
    expect((await session.turn("ask first").result).usage).toMatchObject({ inputTokens: null, outputTokens: null });
    expect((await session.turn("hello").result).usage).toMatchObject({ inputTokens: 100, outputTokens: 20 });
  });
});

describe("claude-agent-acp", () => {
  const { write, run } = claude.dialect;
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(claude, [
      { when: "look around", steps: [{ tools: [run("ls /")] }, { text: "I looked." }] },
      { when: "write it", steps: [{ tools: [write("a.txt", "a")] }, { text: "Written." }] },
      { when: "be denied", steps: [{ tools: [run("touch denied.txt")] }, { text: "Denied." }] },
      {
        when: "stumble",
        steps: [{ text: "Up again.", fault: { kind: "status", status: 429, retryAfterSeconds: 0.1, times: 2 } }],
      },
      { when: "wait long", steps: [{ fault: { kind: "status", status: 429, retryAfterSeconds: 3600 } }] },
      { when: "use a bad key", steps: [{ fault: { kind: "status", status: 401 } }] },
      {
        when: "go on for ever",
        steps: Array.from({ length: 40 }, () => ({ tools: [run("true")] })),
      },
      { steps: [{ text: "Hello." }] },
    ]);
    // The user's own set-up allows everything but one thing.
    await mkdir(stage.env.CLAUDE_CONFIG_DIR ?? "", { recursive: true });
    const permissions = { defaultMode: "acceptEdits", allow: ["Bash", "Write"], deny: ["Bash(touch denied*)"] };
    await writeFile(join(stage.env.CLAUDE_CONFIG_DIR ?? "", "settings.json"), JSON.stringify({ permissions }));
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  test("what the user's settings allow is still not allowed where there is an allowlist without it", async () => {
    for (const prompt of ["look around", "write it"]) {
      const asked = await stage.request({ tools: readOnly(["touch x"]) });
      await using session = stage.backend.open(asked);
      const heard = await hear(session.turn(prompt));
      expect(heard.result.outcome).toBe("done");
      expect(toolsOf(heard).map(({ status }) => status)).toEqual(["error"]);
      expect(await readdir(asked.directory)).toEqual([]);
    }
  });

  test("what the user's settings deny stays denied", async () => {
    const asked = await stage.request();
    await using session = stage.backend.open(asked);
    expect(await session.turn("be denied").result).toMatchObject({ outcome: "done", text: "Denied." });
    expect(await readdir(asked.directory)).toEqual([]);
  });

  test("its own tries are told, and do not fail the turn", async () => {
    const heard = await stage.run("stumble");
    expect(heard.result).toMatchObject({ outcome: "done", text: "Up again." });
    expect(noticesOf(heard)).toHaveLength(2);
  });

  test("a provider that asks for a long wait is not waited for", async () => {
    const { result } = await stage.run("wait long");
    expect(result).toMatchObject({ outcome: "failed", failure: { reason: "rate_limited" } });
    expect(stage.model.requests.filter(({ prompt }) => prompt === "wait long")).toHaveLength(1);
  });

  test("a bad key is not tried again, though it would by itself", async () => {
    const { result } = await stage.run("use a bad key");
    expect(result).toMatchObject({ outcome: "failed", failure: { reason: "auth" } });
    const asked = stage.model.requests.filter(
      ({ prompt, sideCall }) => prompt === "use a bad key" && sideCall === null,
    );
    expect(asked).toHaveLength(1);
  });

  test("a turn that costs more than it may is ended", async () => {
    const { result } = await stage.run("go on for ever", { costLimitUsd: 0.002 });
    expect(result).toMatchObject({ outcome: "failed", failure: { reason: "budget" } });
  });
});
