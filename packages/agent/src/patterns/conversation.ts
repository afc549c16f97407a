import { setTimeout as sleep } from "node:timers/promises";
import {
  type AgentSession,
  type AgentType,
  addUsage,
  BackendConfig,
  type FailedAttempt,
  Fault,
  type SessionRef,
  type SessionRequest,
  type TurnFailure,
  type TurnResult,
  type Usage,
  unknownUsage,
} from "@ralpher/contract";
import { captureSession } from "../capture/captured-session.ts";
import { type Capture, openCapture } from "../capture/open-capture.ts";
import { type BudgetWatch, startBudgetWatch } from "./budget.ts";
import { type Answer, type AnswerTo, type Invocation, type Invoked, type Prompt, requireModel } from "./invocation.ts";
import { outputForm } from "./output-form.ts";
import { attemptsOf, mostAttempts, retryDelay } from "./retry.ts";

const defaultIdleTimeoutMs = 15 * 60_000;

/** One agent context that is asked one prompt after the other. Whoever opened it closes it. */
export interface Conversation extends AsyncDisposable {
  /**
   * Send a prompt into the context. One at a time. Transient failures are tried again, three attempts in all.
   * @throws Fault `turn_failed` with every attempt; `output_invalid` with every wrong path, and the agent is not asked again
   */
  ask<const P extends Prompt>(prompt: P): Promise<AnswerTo<P>>;
  /** The answers so far, oldest first. */
  readonly answers: readonly Answer<unknown>[];
  /** End the agent, and tell of the whole. Idempotent. */
  end(): Promise<Invoked>;
}

const endedBefore: TurnResult = {
  outcome: "failed",
  failure: { reason: "aborted", message: "It was ended before the prompt was sent." },
  usage: unknownUsage,
};

export function openConversation(invocation: Invocation, agentType: AgentType): Conversation {
  return new OpenConversation(invocation, agentType);
}

class OpenConversation implements Conversation {
  readonly answers: Answer<unknown>[] = [];
  readonly #invocation: Invocation;
  readonly #request: SessionRequest;
  readonly #budget: BudgetWatch;
  readonly #capture: Capture;
  readonly #started = performance.now();
  #session: AgentSession | null = null;
  #ref: SessionRef | null = null;
  #usage: Usage = unknownUsage;
  #ended: Promise<Invoked> | null = null;

  constructor(invocation: Invocation, agentType: AgentType) {
    const { backend, directory, role, title, via, budget = {}, signal, tools, env } = invocation;
    const model = requireModel(invocation.model);
    this.#invocation = invocation;
    this.#budget = startBudgetWatch(budget);
    this.#request = {
      directory,
      backend: BackendConfig.parse({ ...via, type: backend.type }),
      model,
      title: title ?? role ?? agentType,
      agentType,
      role,
      idleTimeoutMs: invocation.idleTimeoutMs ?? defaultIdleTimeoutMs,
      signal: signal === undefined ? this.#budget.signal : AbortSignal.any([signal, this.#budget.signal]),
      tools,
      env,
      attempts: mostAttempts,
      costLimitUsd: budget.usd,
    };
    this.#capture = openCapture({ folder: invocation.outputs, agentType, request: this.#request });
  }

  async ask<const P extends Prompt>(wanted: P): Promise<AnswerTo<P>> {
    const { prompt, output } = typeof wanted === "string" ? { prompt: wanted, output: undefined } : wanted;
    const form = output === undefined ? null : outputForm(this.#request.backend.type, output);
    const started = performance.now();
    const before = this.#usage;
    this.#usage = unknownUsage;
    const failedAttempts: FailedAttempt[] = [];
    try {
      const { text, structured } = await this.#insist(prompt, form?.schema, failedAttempts);
      const answer: Answer<unknown> = {
        prompt,
        text,
        output: form?.parse(structured),
        usage: this.#usage,
        durationMs: Math.round(performance.now() - started),
        failedAttempts,
      };
      this.answers.push(answer);
      return answer as AnswerTo<P>;
    } finally {
      this.#usage = addUsage(before, this.#usage);
    }
  }

  /** The result of the first attempt that does not fail. @throws Fault `turn_failed` */
  async #insist(prompt: string, schema: Record<string, unknown> | undefined, attempts: FailedAttempt[]) {
    for (;;) {
      const result = await this.#try(prompt, schema);
      if (result.outcome === "done") return result;
      const failure = this.#causeOf(result.failure);
      attempts.push(...attemptsOf(failure, new Date()));
      const delay = retryDelay(failure, attempts.length, this.#invocation.retryDelayMs ?? 1000, Math.random());
      if (delay === null) throw new Fault("turn_failed", { agent: this.#request.backend.type, failure, attempts });
      const text = `Attempt ${attempts.length} of ${mostAttempts} failed: ${failure.message} The next one follows in ${(delay / 1000).toFixed(1)} s.`;
      this.#capture.write({ type: "notice", text });
      this.#invocation.onEvent?.({ type: "notice", text });
      // A context that has answered nothing holds nothing worth keeping: a fresh one does not depend on what is wrong.
      if (this.answers.length === 0) await this.#closeSession();
      // An abort ends the wait, and then the next attempt.
      await sleep(delay, undefined, { signal: this.#request.signal }).catch(() => {});
    }
  }

  async #try(prompt: string, schema: Record<string, unknown> | undefined): Promise<TurnResult> {
    this.#budget.beginTurn();
    if (this.#request.signal.aborted) return endedBefore;
    this.#session ??= captureSession(this.#invocation.backend.open(this.#request), this.#capture);
    const turn = this.#session.turn(prompt, schema === undefined ? {} : { output: schema });
    for await (const event of turn) {
      if (event.type === "session.start") this.#ref = event.session;
      this.#budget.note(event);
      this.#invocation.onEvent?.(event);
    }
    const result = await turn.result;
    this.#usage = addUsage(this.#usage, result.usage);
    this.#budget.endTurn(result.usage.costUsd);
    return result;
  }

  /** A turn that we ended ourselves failed for our reason. */
  #causeOf(failure: TurnFailure): TurnFailure {
    const { signal } = this.#budget;
    return failure.reason === "aborted" && signal.aborted ? (signal.reason as TurnFailure) : failure;
  }

  async #closeSession(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    await session?.[Symbol.asyncDispose]();
  }

  end(): Promise<Invoked> {
    this.#ended ??= this.#finish();
    return this.#ended;
  }

  async #finish(): Promise<Invoked> {
    this.#budget[Symbol.dispose]();
    await this.#closeSession();
    const usage = this.#usage;
    const durationMs = Math.round(performance.now() - this.#started);
    return { session: this.#ref, capture: await this.#capture.close({ usage, durationMs }), usage };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }
}
