import {
  type AgentEvent,
  type AgentType,
  type Asking,
  type EventBody,
  type FailureReason,
  isFault,
  type LoopView,
  type ToolAccess,
  type TurnFailure,
  type TurnRole,
  unknownUsage,
} from "@ralpher/contract";
import type { Execution } from "./execution.ts";
import { Scribe } from "./scribe.ts";

export interface Converse {
  iteration: number;
  attempt: number;
  role: TurnRole;
  taskId?: string;
  agentType: AgentType;
  title: string;
  /** The first prompt, as it is recorded; `talk` sends it. */
  prompt: string;
  /** The seqs of the human words that the prompts tell. */
  said: number[];
  tools?: ToolAccess | undefined;
}

/** Says one prompt after the other; later ones are recorded as they are said. */
export type Talk = (ask: Asking["ask"]) => Promise<EventBody[]>;

/**
 * One turn that is a whole conversation: prompts into one fresh context, the last answers in a form that is checked. What
 * `talk` returns is recorded together with the turn's end. A conversation that fails is a failed turn, like any other.
 */
export async function converse(execution: Execution, view: LoopView, wanted: Converse, talk: Talk): Promise<void> {
  const { record, conversations, signal } = execution;
  const { config, workspace } = view;
  const { iteration, attempt, role, taskId, prompt, said } = wanted;
  await record([
    {
      type: "loop.turn.start",
      iteration,
      attempt,
      prompt,
      role,
      ...(said.length === 0 ? {} : { said }),
      ...(taskId === undefined ? {} : { taskId }),
    },
  ]);
  using scribe = new Scribe(execution, iteration);
  const ears = new Ears(scribe);
  await using asking = conversations.open({
    backend: config.backend,
    model: config.model,
    agentType: wanted.agentType,
    directory: workspace?.directory ?? config.directory,
    role,
    title: wanted.title,
    group: config.id,
    tools: wanted.tools,
    idleTimeoutMs: config.idleTimeoutSeconds * 1000,
    signal,
    onEvent: ears.hear,
  });
  let first = true;
  const ask: Asking["ask"] = async (text: string, output?: Parameters<Asking["ask"]>[1]) => {
    if (!first) scribe.note({ type: "loop.prompt", iteration, text });
    first = false;
    return (await asking.ask(text, output as never)) as never;
  };
  let ending: EventBody[];
  try {
    const said = await talk(ask);
    ending = [...said, { type: "loop.turn.end", iteration, promised: false, usage: asking.usage }];
  } catch (error) {
    ears.check();
    ending = [endOf(error, iteration, signal, asking.usage)];
  }
  await scribe.end(ending);
}

/** How a conversation that broke off ended. @throws what is no failure of the agent's */
function endOf(error: unknown, iteration: number, signal: AbortSignal, usage = unknownUsage): EventBody {
  const failure = failureOf(error);
  // We ended it ourselves: that is no failure of the agent's, and the turn can be taken up again.
  if (failure.reason === "aborted" && signal.aborted) {
    return { type: "loop.interrupted", iteration, cause: "asked", reason: String(signal.reason), usage };
  }
  return { type: "loop.turn.end", iteration, promised: false, failure, usage };
}

function failureOf(error: unknown): TurnFailure {
  if (isFault(error, "turn_failed")) return { ...error.data.failure, attempts: error.data.attempts };
  // Whoever does not keep to the form is not asked again: a human looks at it (A-OUT-3).
  if (isFault(error, "output_invalid")) return { reason: "output" satisfies FailureReason, message: error.message };
  throw error;
}

/** Writes down what an agent does, whose events come without waiting for the disk. */
class Ears {
  readonly #scribe: Scribe;
  #trouble: { error: unknown } | null = null;

  constructor(scribe: Scribe) {
    this.#scribe = scribe;
  }

  readonly hear = (event: AgentEvent): void => {
    this.check();
    this.#scribe.add(event).catch((error) => {
      this.#trouble ??= { error };
    });
  };

  /** @throws what could not be written down */
  check(): void {
    if (this.#trouble !== null) throw this.#trouble.error;
  }
}
