import {
  type AgentBackend,
  type AgentEvent,
  type BackendConfig,
  type FailedAttempt,
  Fault,
  type ModelRef,
  parseModelRef,
  type SessionRef,
  type ToolAccess,
  type Usage,
} from "@ralpher/contract";
import type { z } from "zod";
import type { Budget } from "./budget.ts";

/** What narrow, walk and bookend have in common. */
export interface Invocation {
  /** Made by `createClaudeBackend` and its like. It stays open: whoever made it closes it. */
  backend: AgentBackend;
  /** Where the agent works: absolute path. */
  directory: string;
  /** The folder that gets one JSONL file with the whole conversation: absolute path. Made when it is missing. */
  outputs: string;
  /** `provider/model`, or its two parts. Default: the agent's own choice. */
  model?: string | ModelRef | undefined;
  /** What the agent may do. Default: all that the user's own set-up of the agent allows. */
  tools?: ToolAccess | undefined;
  /** Added to the agent's environment. */
  env?: Readonly<Record<string, string>> | undefined;
  budget?: Budget | undefined;
  /** Ends the invocation; it rejects with `turn_failed`, reason `aborted`. */
  signal?: AbortSignal | undefined;
  /** Everything the agent does, as it does it, without the environment's secrets. */
  onEvent?: ((event: AgentEvent) => void) | undefined;
  /** What the agent is there for, e.g. `orient`: for the capture. */
  role?: string | undefined;
  /** A name for people. Default: the role. */
  title?: string | undefined;
  /** Where the agent is to be had, beside its type: a server to connect to, a command line, a script. */
  via?: Partial<Omit<BackendConfig, "type">> | undefined;
  /** An agent that says nothing for so long counts as hung. Default: 15 minutes. */
  idleTimeoutMs?: number | undefined;
  /** The wait before the second attempt, in milliseconds; later ones double. Default: 1000. */
  retryDelayMs?: number | undefined;
}

/** A prompt, and the form its answer is to have. Without `output` the answer is text. */
export type Prompt<T = unknown> = string | { prompt: string; output?: z.ZodType<T> | undefined };

/** What the agent answered to one prompt. `output` is checked against the schema; undefined when there was none. */
export interface Answer<T = undefined> {
  prompt: string;
  /** The agent's last message, without reasoning. */
  text: string;
  output: T;
  /** What this prompt used, failed attempts included. */
  usage: Usage;
  durationMs: number;
  /** The attempts that failed before this answer came. */
  failedAttempts: FailedAttempt[];
}

/** The answer to such a prompt. */
export type AnswerTo<P> = P extends { output: z.ZodType<infer T> } ? Answer<T> : Answer;

/** What all invocations tell besides their answers. */
export interface Invoked {
  /** The agent's own session, as far as it tells. */
  session: SessionRef | null;
  /** The file with the whole conversation; null when it could not be written, of which a notice tells. */
  capture: string | null;
  usage: Usage;
}

/** @throws Fault `invalid_input` */
export function requireModel(model: string | ModelRef | undefined): ModelRef | undefined {
  if (typeof model !== "string") return model;
  const parsed = parseModelRef(model);
  if (parsed !== null) return parsed;
  const issue = { path: "model", message: `"${model}" is not of the form provider/model` };
  throw new Fault("invalid_input", { what: "invocation", issues: [issue] });
}
