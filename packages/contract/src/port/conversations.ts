import type { z } from "zod";
import type { AgentEvent, ModelRef, ToolAccess, Usage } from "../agent.ts";
import type { AgentType } from "../capture.ts";
import type { BackendConfig } from "../loop.ts";

export interface ConversationRequest {
  backend: BackendConfig;
  model?: ModelRef | undefined;
  agentType: AgentType;
  /** Where the agent works: absolute path. */
  directory: string;
  role: string;
  title: string;
  /** Its capture lies with those of this group: for a loop, its id. */
  group: string;
  /** What the agent may do. Absent: all that the user's own set-up of the agent allows. */
  tools?: ToolAccess | undefined;
  idleTimeoutMs: number;
  signal: AbortSignal;
  /** Everything the agent does, as it does it. What it throws ends the conversation. */
  onEvent: (event: AgentEvent) => void;
}

export interface AskedAnswer<T> {
  text: string;
  /** Checked against the schema; undefined when there was none. */
  output: T;
}

/** One agent context that is asked one prompt after the other. Whoever opened it closes it. */
export interface Asking extends AsyncDisposable {
  /**
   * Transient failures are tried again, three attempts in all. @throws Fault `turn_failed` with every attempt;
   * `output_invalid` with every wrong path, and the agent is not asked again
   */
  ask(prompt: string): Promise<AskedAnswer<undefined>>;
  ask<T>(prompt: string, output: z.ZodType<T>): Promise<AskedAnswer<T>>;
  /** What all of it used so far. */
  readonly usage: Usage;
}

/** The way to agents for who needs an answer that a program can trust (seed 002): narrow, walked, bookended. */
export interface Conversations {
  /** @throws Fault `unknown_backend` */
  open(request: ConversationRequest): Asking;
}
