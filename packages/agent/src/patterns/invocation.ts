import { isAbsolute } from "node:path";
import {
  type AgentBackend,
  type AgentEvent,
  BackendConfig,
  type FailedAttempt,
  Fault,
  ModelRef,
  parse,
  parseModelRef,
  type SessionRef,
  ToolAccess,
  type Usage,
} from "@ralpher/contract";
import { z } from "zod";
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
  /** Everything the agent does, as it does it, without the environment's secrets. What it throws ends the invocation. */
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

/** The answer to such a prompt; where only running shows whether it has a schema, its output is unknown. */
export type AnswerTo<P> = P extends string
  ? Answer
  : P extends { output: z.ZodType<infer T> }
    ? Answer<T>
    : P extends { output?: unknown }
      ? Answer<"output" extends keyof P ? unknown : undefined>
      : Answer;

/** What all invocations tell besides their answers. */
export interface Invoked {
  /** The agent's own session, as far as it tells. */
  session: SessionRef | null;
  /** The file with the whole conversation; null when it could not be written, of which a notice tells. */
  capture: string | null;
  usage: Usage;
}

const AbsolutePath = z.string().refine(isAbsolute, "the path is not absolute");

/** What of an invocation can be wrong without a compiler to say so. */
const Checked = z.object({
  directory: AbsolutePath,
  outputs: AbsolutePath,
  model: ModelRef.optional(),
  tools: ToolAccess.optional(),
  env: z.record(z.string(), z.string()).optional(),
  budget: z
    .strictObject({
      turns: z.int().positive().optional(),
      timeMs: z.number().positive().optional(),
      usd: z.number().positive().optional(),
    })
    .prefault({}),
  idleTimeoutMs: z
    .number()
    .positive()
    .default(15 * 60_000),
  retryDelayMs: z.number().nonnegative().default(1000),
  backend: BackendConfig,
});

/** The invocation, checked and with its defaults. @throws Fault `invalid_input` */
export function parseInvocation(invocation: Invocation): z.infer<typeof Checked> {
  const { backend, via, model } = invocation;
  return parse(
    Checked,
    {
      ...invocation,
      model: typeof model === "string" ? modelOf(model) : model,
      backend: { ...via, type: backend.type },
    },
    "invocation",
  );
}

function modelOf(text: string): ModelRef {
  const model = parseModelRef(text);
  if (model !== null) return model;
  const issue = { path: "model", message: `"${text}" is not of the form provider/model` };
  throw new Fault("invalid_input", { what: "invocation", issues: [issue] });
}
