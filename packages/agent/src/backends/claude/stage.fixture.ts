/** The real Claude Code, a scripted model, and folders to work in: what the tests of this backend share. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AgentBackend,
  type AgentEvent,
  Script,
  type SessionRequest,
  type Turn,
  type TurnOptions,
  type TurnResult,
} from "@ralpher/contract";
import { type ModelServer, openModelServer } from "@ralpher/model";
import { createClaudeBackend } from "./backend.ts";
import { offlineClaudeEnvironment } from "./offline-environment.ts";

export interface Stage extends AsyncDisposable {
  backend: AgentBackend;
  model: ModelServer;
  env: Record<string, string>;
  /** For a session in a new folder. */
  request(overrides?: Partial<SessionRequest>): Promise<SessionRequest>;
  /** One prompt in a session of its own. */
  run(prompt: string, overrides?: Partial<SessionRequest>, options?: TurnOptions): Promise<Heard>;
}

export interface Heard {
  events: AgentEvent[];
  result: TurnResult;
}

export interface StageOptions {
  conversations: unknown[];
  /** The user's settings. */
  settings?: Record<string, unknown>;
  /** Added to Claude Code's environment. */
  env?: Record<string, string>;
}

/** Must be closed. */
export async function openStage({ conversations, settings = {}, env: added = {} }: StageOptions): Promise<Stage> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "ralpher-claude-")));
  const model = openModelServer({ script: Script.parse({ conversations }) });
  const env = { ...(await offlineClaudeEnvironment({ home: join(root, "home"), modelUrl: model.url })), ...added };
  await writeFile(join(env.CLAUDE_CONFIG_DIR ?? root, "settings.json"), JSON.stringify(settings));
  const backend = createClaudeBackend({ env });
  let folders = 0;

  async function request(overrides: Partial<SessionRequest> = {}): Promise<SessionRequest> {
    const directory = join(root, `${folders++}`);
    await mkdir(directory);
    return {
      directory,
      backend: { type: "claude", mode: "spawn" },
      model: { providerID: "anthropic", modelID: "claude-sonnet-4-5" },
      title: "Test",
      idleTimeoutMs: 60_000,
      signal: new AbortController().signal,
      ...overrides,
    };
  }

  return {
    backend,
    model,
    env,
    request,
    async run(prompt, overrides, options) {
      await using session = backend.open(await request(overrides));
      return await hear(session.turn(prompt, options));
    },
    async [Symbol.asyncDispose]() {
      await backend[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
      await rm(root, { recursive: true });
    },
  };
}

export async function hear(turn: Turn): Promise<Heard> {
  const events: AgentEvent[] = [];
  for await (const event of turn) events.push(event);
  return { events, result: await turn.result };
}
