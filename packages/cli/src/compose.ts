import { randomUUID } from "node:crypto";
import { join } from "node:path";
import {
  type AcpOptions,
  type ClaudeOptions,
  captureBackend,
  createAcpBackend,
  createCaptures,
  createClaudeBackend,
  createConversations,
  createOpencodeBackend,
  createRunProgram,
  createScriptedBackend,
  endLeftovers,
  type OpencodeOptions,
} from "@ralpher/agent";
import {
  type AgentBackend,
  type BackendType,
  isFault,
  type Journal,
  type LoopId,
  type Script,
  type Vaults,
  type WorkItems,
} from "@ralpher/contract";
import { createWorkspaces } from "@ralpher/git";
import { createHub, type RunningHub, systemClock } from "@ralpher/loop";
import type { ModelServer } from "@ralpher/model";
import { createProjects } from "@ralpher/project";
import type { RunningServer, ServerOptions } from "@ralpher/server";
import { openJournal } from "@ralpher/store";
import { agentsNotes, forTrc, withTrc } from "./agent-programs.ts";
import { guardPlugin } from "./embedded.ts";
import { logger } from "./log.ts";
import { readAgentsNotes } from "./trc/agents-notes.ts";
import { version } from "./version.ts";

export { listCaptures, offlineClaudeEnvironment, offlineOpencodeEnvironment, readCapture } from "@ralpher/agent";
export { gitVersion } from "@ralpher/git";

export interface ComposeOptions {
  dataDir: string;
  runs: "all" | "adopted";
  /** Other programs and environments than the user's own. */
  agents?: AgentOptions;
}

export interface AgentOptions {
  opencode?: OpencodeOptions;
  claude?: ClaudeOptions;
  acp?: AcpOptions;
}

export interface Ralpher extends AsyncDisposable {
  hub: RunningHub;
  journal: Journal;
  /** Be told of what the running of a loop here was given up for, in place of the log. */
  onTrouble(listener: TroubleListener): Disposable;
}

/** What a watch over a vault tells of. */
export type VaultNote = Parameters<Parameters<RunningHub["watchVault"]>[1]["onNote"]>[0];

/** True: it was taken care of, and need not be logged. */
export type TroubleListener = (loopId: LoopId, error: unknown) => boolean;

/** Put Ralpher together on a data folder. The only place that names implementations. */
export function compose({ dataDir, runs, agents = {} }: ComposeOptions): Ralpher {
  const journal = openJournal({ path: join(dataDir, "ralpher.db") });
  const outputs = outputsFolder(dataDir);
  const env = withTrc(withoutSecret(process.env), dataDir);
  const bare = new Map<BackendType, AgentBackend>(
    [
      createOpencodeBackend({ env, ...guardPlugin(dataDir), ...agents.opencode }),
      createClaudeBackend({ env, ...agents.claude }),
      createAcpBackend({ env, ...agents.acp }),
      createScriptedBackend({ env: forTrc(process.env, dataDir) }),
    ].map((backend) => [backend.type, backend]),
  );
  // The turns of a loop are captured here; conversations capture themselves.
  const backends = new Map(
    [...bare].map(([type, backend]) => [type, captureBackend(backend, ({ group = "" }) => join(outputs, group))]),
  );
  const listeners = new Set<TroubleListener>();
  const runProgram = createRunProgram(env);
  const hub = createHub({
    journal,
    workspaces: createWorkspaces({ root: join(dataDir, "worktrees") }),
    backends,
    clock: systemClock,
    newId: randomUUID,
    endLeftovers,
    captures: createCaptures(outputs),
    conversations: createConversations({ backends: bare, outputs }),
    projects: createProjects({ outputs, runProgram }),
    vaults: lazyVaults({ runProgram, version }),
    openWorkItems,
    changesByAgents: (after) => readAgentsNotes(agentsNotes(dataDir), after),
    runs,
    onTrouble(loopId, error) {
      const isTaken = [...listeners].map((listener) => listener(loopId, error)).includes(true);
      if (!isTaken) logTrouble(loopId, error);
    },
  });
  return {
    hub,
    journal,
    onTrouble(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await Promise.all([...bare.values()].map((backend) => backend[Symbol.asyncDispose]()));
      await journal[Symbol.asyncDispose]();
    },
  };
}

/** Loaded when first needed, for few commands and few loops have to do with work items; and at once, for nobody waits. */
function openWorkItems(directory: string): WorkItems {
  const trace: typeof import("@ralpher/trace") = require("@ralpher/trace");
  return trace.openWorkItems({ directory });
}

/** Loaded when first needed, too. */
function lazyVaults(options: import("@ralpher/vault").VaultsOptions): Vaults {
  let made: Vaults | null = null;
  const vaults = () => {
    const { createVaults }: typeof import("@ralpher/vault") = require("@ralpher/vault");
    made ??= createVaults(options);
    return made;
  };
  return {
    init: async (root) => await vaults().init(root),
    find: async (directory) => await vaults().find(directory),
    open: async (root) => await vaults().open(root),
  };
}

/** Where the agents' conversations are captured. */
export function outputsFolder(dataDir: string): string {
  return join(dataDir, "outputs");
}

/** An agent must not be able to accept its own work at a server that is locked to others. */
function withoutSecret({ RALPHER_TOKEN: _, ...env }: Record<string, string | undefined>): typeof env {
  return env;
}

/** The HTTP server over a hub. */
export async function openServer(options: ServerOptions): Promise<RunningServer> {
  return (await import("@ralpher/server")).openServer(options);
}

/** The version of the server at this address; null when none answers. */
export async function askVersion(url: string): Promise<string | null> {
  const { createClient, read } = await import("@ralpher/server/client");
  const signal = AbortSignal.timeout(2_000);
  const { health } = createClient({ url });
  return await read(health.$get({}, { init: { signal } })).then(
    ({ version }) => version,
    () => null,
  );
}

/** The scripted model, playing this script. */
export async function openModel(script: Script, port = 0): Promise<ModelServer> {
  return (await import("@ralpher/model")).openModelServer({ script, port });
}

/** @throws Fault `script_invalid` */
export async function readScript(path: string): Promise<Script> {
  return await (await import("@ralpher/model")).readScript(path);
}

let lastTrouble = "";

/** The same trouble comes back every few seconds until it is mended; it is told once. */
function logTrouble(loopId: LoopId, error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  if (text === lastTrouble) return;
  lastTrouble = text;
  logger("loop").error(`loop ${loopId}: ${isFault(error) ? error.message : Bun.inspect(error)}`);
}
