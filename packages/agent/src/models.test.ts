import { describe, expect, test } from "bun:test";
import { type AgentBackend, BackendConfig, isFault, type ModelInfo } from "@ralpher/contract";
import * as acp from "./backends/acp/stage.fixture.ts";
import { createClaudeBackend } from "./backends/claude/backend.ts";
import * as claude from "./backends/claude/stage.fixture.ts";
import { createOpencodeBackend } from "./backends/opencode/backend.ts";
import * as opencode from "./backends/opencode/stage.fixture.ts";
import { createScriptedBackend } from "./backends/scripted/backend.ts";
import { captureBackend } from "./capture/captured-backend.ts";
import { createModelList } from "./model-list.ts";
import { parseMark } from "./process/mark.ts";
import { findMarked } from "./process/marked.ts";
import type { Stage } from "./stage.fixture.ts";

const signal = new AbortController().signal;
const known = { model: { providerID: "a", modelID: "b" }, name: "B", isDefault: false };
const ownProcesses = async () => (await findMarked((mark) => parseMark(mark)?.pid === process.pid)).length;

async function ask(stage: Stage, backend: AgentBackend = stage.backend): Promise<ModelInfo[]> {
  const { directory, backend: config } = await stage.request();
  return await backend.models({ config, directory, signal });
}

describe("models of the real agents", () => {
  test("[R-BACK-4] opencode tells those of the providers it is set up with", async () => {
    await using stage = await opencode.openStage({ conversations: [{ when: "hello", steps: [{ text: "hi" }] }] });
    const models = await ask(stage);
    expect(models).toContainEqual({
      model: { providerID: "scripted", modelID: "model" },
      name: expect.any(String),
      isDefault: true,
    });
    expect(models.filter(({ isDefault }) => isDefault)).toHaveLength(1);
    expect(stage.model.requests).toEqual([]);
  }, 60_000);

  test("[R-BACK-4] Claude Code tells those of its login, is asked nothing, and ends", async () => {
    await using stage = await claude.openStage({ conversations: [{ when: "hello", steps: [{ text: "hi" }] }] });
    const models = await ask(
      stage,
      captureBackend(stage.backend, () => "/nowhere"),
    );
    expect(models[0]).toMatchObject({ model: { providerID: "anthropic", modelID: "default" }, isDefault: true });
    expect(models.length).toBeGreaterThan(1);
    expect(stage.model.requests).toEqual([]);
    expect(await ownProcesses()).toBe(0);
  }, 60_000);

  test("[R-BACK-4] an agent that speaks ACP tells those of a new session, and ends", async () => {
    await using stage = await acp.openStage(acp.opencode, [{ when: "hello", steps: [{ text: "hi" }] }]);
    expect(await ask(stage)).toContainEqual({
      model: { providerID: "scripted", modelID: "model" },
      name: expect.any(String),
      isDefault: true,
    });
    expect(await ownProcesses()).toBe(0);
  }, 60_000);

  test("[R-BACK-4] names of models without a provider can be given back to the agent", async () => {
    await using stage = await acp.openStage(acp.claude, [{ when: "hello", steps: [{ text: "hi" }] }]);
    const models = await ask(stage);
    const sonnet = models.find(({ model }) => model.modelID === "sonnet");
    expect(sonnet?.model.providerID).not.toContain("/");
    const { result } = await stage.run("hello", { model: sonnet?.model });
    expect(result.outcome).toBe("done");
  }, 60_000);

  test("the script is the only model of the scripted agent", async () => {
    await using backend = createScriptedBackend();
    const config = BackendConfig.parse({ type: "scripted" });
    expect(await backend.models({ config, directory: "/", signal })).toEqual([]);
  });
});

describe("models of agents that are not there", () => {
  const faultOf = async (backend: AgentBackend, type: string) => {
    const config = BackendConfig.parse({ type });
    const error = await backend.models({ config, directory: "/", signal }).catch((thrown) => thrown);
    return isFault(error) ? error.code : error;
  };

  test("are a fault that says so", async () => {
    const env = { PATH: "/nowhere" };
    expect(await faultOf(createOpencodeBackend({ env }), "opencode")).toBe("agent_missing");
    expect(await faultOf(createClaudeBackend({ env, command: "claude" }), "claude")).toBe("agent_missing");
  });
});

describe("a list of models", () => {
  const config = BackendConfig.parse({ type: "acp" });
  const about = () => ({ agent: "Agent", install: "Get it." });

  test("is asked for once by those who want it at the same time, and again after it failed", async () => {
    const asked: string[] = [];
    const models = createModelList({
      about,
      ask: async ({ directory }) => {
        asked.push(directory);
        if (directory === "/bad") throw new RangeError("no");
        return [known, { ...known, isDefault: true }, { ...known, model: { providerID: "a", modelID: "c" } }];
      },
    });
    const [one, two] = await Promise.all(["/a", "/a"].map((directory) => models({ config, directory, signal })));
    expect(one).toEqual(two ?? []);
    expect(one?.map(({ model, isDefault }) => [model.modelID, isDefault])).toEqual([
      ["b", true],
      ["c", false],
    ]);
    await models({ config, directory: "/b", signal });
    for (const _ of [1, 2]) await models({ config, directory: "/bad", signal }).catch(() => {});
    expect(asked).toEqual(["/a", "/b", "/bad", "/bad"]);
  });

  test("is not waited for by those who left", async () => {
    const models = createModelList({ about, ask: () => new Promise(() => {}) });
    const leaving = new AbortController();
    const waiting = models({ config, directory: "/a", signal: leaving.signal });
    leaving.abort();
    expect(await waiting.catch((error) => error.code)).toBe("agent_failed");
  });
});
