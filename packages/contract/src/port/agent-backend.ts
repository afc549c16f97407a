import type { AgentEvent, BackendType, JsonSchema, ModelRef, ToolAccess, TurnResult } from "../agent.ts";
import type { BackendCapabilities, BackendHealth, ModelInfo } from "../backend.ts";
import type { AgentType } from "../capture.ts";
import type { BackendConfig } from "../loop.ts";

export interface SessionRequest {
  /** Where the agent works: absolute path. */
  directory: string;
  backend: BackendConfig;
  model?: ModelRef | undefined;
  /** Shown by backends that list their sessions, and with what is captured. */
  title: string;
  /** For the capture of the conversation: how the agent is put to work, and what for. */
  agentType?: AgentType | undefined;
  role?: string | undefined;
  /** Captures of one group lie together: for a loop, its id. */
  group?: string | undefined;
  /** No event for so many milliseconds counts as hung. */
  idleTimeoutMs: number;
  /** Ends the session: the agent stops, its child processes are gone. */
  signal: AbortSignal;
  /** What the agent may do. Absent: whatever the user's own set-up of the agent allows or would ask about. */
  tools?: ToolAccess | undefined;
  /** Added to the agent's environment. */
  env?: Readonly<Record<string, string>> | undefined;
  /**
   * So many times in all the provider may be asked for one answer, for backends that ask again by themselves. Absent: as
   * often as they like.
   */
  attempts?: number | undefined;
  /** The session ends with `budget` when it has cost so much, on backends that know. US dollars. */
  costLimitUsd?: number | undefined;
}

export interface TurnOptions {
  /** The answer is wanted in this form. */
  output?: JsonSchema | undefined;
}

/**
 * A turn under way: its events in order, then its result. Iterating never throws; a failure is a result with a reason.
 * Whoever stops iterating early still gets the result.
 */
export interface Turn extends AsyncIterable<AgentEvent> {
  readonly result: Promise<TurnResult>;
}

/** One conversation with an agent. Whoever opened it closes it. */
export interface AgentSession extends AsyncDisposable {
  /** Send a prompt into this context. One at a time. After a failed turn another may be tried. */
  turn(prompt: string, options?: TurnOptions): Turn;
}

/** An agent runtime. One instance serves all loops of this process. */
export interface AgentBackend extends AsyncDisposable {
  readonly type: BackendType;
  readonly capabilities: BackendCapabilities;
  /** What its agents are given, besides what a session adds: for keeping the secrets in it out of records. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A fresh context. Never throws: a session that cannot be had fails its first turn. */
  open(request: SessionRequest): AgentSession;
  /** `config` says which agent is meant where a backend drives several. */
  health(config?: BackendConfig): Promise<BackendHealth>;
  /**
   * The models it offers, the default first; empty when it cannot tell. May start the agent.
   * @throws Fault `agent_missing`, `agent_failed`
   */
  models(request: { config: BackendConfig; directory: string; signal: AbortSignal }): Promise<ModelInfo[]>;
}
