import type { AgentEvent, BackendType, ModelRef, TurnResult } from "../agent.ts";
import type { BackendConfig } from "../loop.ts";

/** What a backend can do, for the table in the docs and for choosing. */
export interface BackendCapabilities {
  modes: BackendConfig["mode"][];
  models: boolean;
}

/** Is the agent there? For `ralpher doctor` and the create form. */
export type BackendHealth =
  | { state: "ready"; version: string; path?: string }
  | { state: "missing" | "unsupported" | "broken"; detail: string; install: string };

export interface SessionRequest {
  /** Where the agent works: absolute path. */
  directory: string;
  backend: BackendConfig;
  model?: ModelRef | undefined;
  /** Shown by backends that list their sessions. */
  title: string;
  /** No event for so many milliseconds counts as hung. */
  idleTimeoutMs: number;
  /** Ends the session: the agent stops, its child processes are gone. */
  signal: AbortSignal;
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
  /** Send a prompt into this context. One at a time. */
  turn(prompt: string): Turn;
}

/** An agent runtime. One instance serves all loops of this process. */
export interface AgentBackend extends AsyncDisposable {
  readonly type: BackendType;
  readonly capabilities: BackendCapabilities;
  /** A fresh context. Never throws: a session that cannot be had fails its first turn. */
  open(request: SessionRequest): AgentSession;
  health(): Promise<BackendHealth>;
}
