/** Real agents that speak the protocol, a scripted model, and folders to work in: what the tests of this backend share. */
import { mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type ModelRef, Script, type ToolCall } from "@ralpher/contract";
import { openModelServer } from "@ralpher/model";
import type { Dialect, Subject } from "../../conformance.ts";
import { createStage, type Heard, type Stage } from "../../stage.fixture.ts";
import { offlineClaudeEnvironment } from "../claude/offline-environment.ts";
import { offlineOpencodeEnvironment } from "../opencode/offline-environment.ts";
import { createAcpBackend } from "./backend.ts";

/** A real agent. */
export { type Heard, hear, type Stage } from "../../stage.fixture.ts";

export interface RealAgent {
  command: readonly [string, ...string[]];
  model: ModelRef;
  wrongModel: ModelRef;
  dialect: Dialect;
  environment(home: string, modelUrl: string): Promise<Record<string, string>>;
}

export const opencode: RealAgent = {
  command: [join(dirname(Bun.resolveSync("opencode-ai/package.json", import.meta.dir)), "bin/opencode.exe"), "acp"],
  model: { providerID: "scripted", modelID: "model" },
  wrongModel: { providerID: "scripted", modelID: "unheard-of" },
  dialect: {
    write: (filePath, content) => ({ name: "write", input: { filePath, content } }),
    read: (filePath) => ({ name: "read", input: { filePath } }),
    run: (command) => ({ name: "bash", input: { command, description: "Test" } }),
    ask: (question) => ({
      name: "question",
      input: { questions: [{ question, header: "Question", options: [{ label: "Yes", description: "" }] }] },
    }),
  },
  async environment(home, modelUrl) {
    const env = await offlineOpencodeEnvironment({ home, modelUrl });
    const config = JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? "{}");
    // US dollars per million tokens; without a price no cost is told.
    config.provider.scripted.models.model.cost = { input: 3, output: 15 };
    return { ...env, OPENCODE_CONFIG_CONTENT: JSON.stringify(config) };
  },
};

const adapter = Bun.resolveSync("@agentclientprotocol/claude-agent-acp/package.json", import.meta.dir);

export const claude: RealAgent = {
  command: [process.execPath, join(dirname(adapter), "dist/index.js")],
  model: { providerID: "anthropic", modelID: "sonnet" },
  wrongModel: { providerID: "anthropic", modelID: "no-such-model" },
  dialect: {
    write: (file_path, content) => ({ name: "Write", input: { file_path, content } }),
    read: (file_path) => ({ name: "Read", input: { file_path } }),
    run: (command) => ({ name: "Bash", input: { command, description: "Test" } }),
    ask: (question) => ({
      name: "AskUserQuestion",
      input: { questions: [{ question, header: "Question", multiSelect: false, options: [] }] },
    }),
  },
  environment: (home, modelUrl) => offlineClaudeEnvironment({ home, modelUrl }),
};

/** Must be closed. `config` is added to opencode's configuration. */
export async function openStage(
  agent: RealAgent,
  conversations: unknown[],
  config: Record<string, unknown> = {},
): Promise<Stage> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "ralpher-acp-")));
  const model = openModelServer({ script: Script.parse({ conversations }) });
  const env = await agent.environment(join(root, "home"), model.url);
  const own = JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? "{}");
  const backend = createAcpBackend({
    command: agent.command,
    env: { ...env, OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...own, ...config }) },
  });
  const defaults = { backend: { type: "acp", mode: "spawn" }, model: agent.model } as const;
  return createStage({ backend, model, env, root, defaults });
}

/** For the conformance suite. */
export function makeSubject(agent: RealAgent): (script: Script) => Promise<Subject> {
  return async ({ conversations }) => {
    const stage = await openStage(agent, conversations);
    const { backend, model } = await stage.request();
    const asked = (sessionId: string) =>
      stage.model.requests.filter(({ session, sideCall }) => session === sessionId && sideCall === null);
    return {
      backend: stage.backend,
      request: { backend, model },
      wrongModel: { backend, model: agent.wrongModel },
      contextSizes: (sessionId) => asked(sessionId).map(({ messageCount }) => messageCount),
      toolsOffered: (sessionId) => asked(sessionId).at(-1)?.tools ?? null,
      disconnect: async () => await stage.model[Symbol.asyncDispose](),
      [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
    };
  };
}

export const toolsOf = ({ events }: Heard): ToolCall[] =>
  events.flatMap((event) => (event.type === "tool.complete" ? [event.tool] : []));
export const noticesOf = ({ events }: Heard): string[] =>
  events.flatMap((event) => (event.type === "notice" ? [event.text] : []));
