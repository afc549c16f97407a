import { setTimeout as sleep } from "node:timers/promises";
import {
  type AgentBackend,
  type AgentEvent,
  type AgentSession,
  type AgentType,
  addUsage,
  type FailedAttempt,
  Fault,
  type JsonSchema,
  type SessionRef,
  type SessionRequest,
  type TurnFailure,
  type TurnResult,
  type Usage,
  unknownUsage,
} from "@ralpher/contract";
import type { z } from "zod";
import { captureSession } from "../capture/captured-session.ts";
import { type Capture, openCapture } from "../capture/open-capture.ts";
import { type BudgetWatch, startBudgetWatch } from "./budget.ts";
import {
  type Answer,
  type AnswerTo,
  type Invocation,
  type Invoked,
  type Prompt,
  parseInvocation,
} from "./invocation.ts";
import { outputForm } from "./output-form.ts";
import { attemptsOf, mostAttempts, retryDelay } from "./retry.ts";

/** One agent context that is asked one prompt after the other. Whoever opened it closes it. */
export interface Conversation extends AsyncDisposable {
  /**
   * Send a prompt into the context, after those before it. Transient failures are tried again, three attempts in all.
   * @throws Fault `turn_failed` with every attempt; `output_invalid` with every wrong path, and the agent is not asked again
   */
  ask<const P extends Prompt>(prompt: P): Promise<AnswerTo<P>>;
  /** The answers so far, oldest first. */
  readonly answers: readonly Answer<unknown>[];
  /** What all of it used so far, failed attempts and prompts without an answer included. */
  readonly usage: Usage;
  /** End the agent, with what it is still asked, and tell of the whole. Idempotent. */
  end(): Promise<Invoked>;
}

const endedBefore: TurnResult = {
  outcome: "failed",
  failure: { reason: "aborted", message: "It was ended before the prompt was sent." },
  usage: unknownUsage,
};

/** @throws Fault `invalid_input` */
export function openConversation(invocation: Invocation, agentType: AgentType): Conversation {
  return new OpenConversation(invocation, agentType);
}

class OpenConversation implements Conversation {
  readonly answers: Answer<unknown>[] = [];
  readonly #backend: AgentBackend;
  readonly #onEvent: (event: AgentEvent) => void;
  readonly #retryDelayMs: number;
  readonly #request: SessionRequest;
  readonly #budget: BudgetWatch;
  readonly #capture: Capture;
  readonly #started = performance.now();
  readonly #closing = new AbortController();
  #session: AgentSession | null = null;
  #ref: SessionRef | null = null;
  /** Of the prompts before the one that is being answered, and of that one. */
  #usageBefore: Usage = unknownUsage;
  #usage: Usage = unknownUsage;
  #lastOutcome: TurnResult["outcome"] | null = null;
  /** The newest prompt; the next one waits for it. */
  #asked: Promise<unknown> = Promise.resolve();
  #ended: Promise<Invoked> | null = null;

  constructor(invocation: Invocation, agentType: AgentType) {
    const { budget, outputs, retryDelayMs, ...checked } = parseInvocation(invocation);
    const { backend, onEvent, role, title, signal } = invocation;
    this.#backend = backend;
    this.#onEvent = onEvent ?? (() => {});
    this.#retryDelayMs = retryDelayMs;
    this.#budget = startBudgetWatch(budget);
    const signals = [this.#closing.signal, this.#budget.signal, ...(signal === undefined ? [] : [signal])];
    this.#request = {
      ...checked,
      title: title ?? role ?? agentType,
      agentType,
      role,
      signal: AbortSignal.any(signals),
      costLimitUsd: budget.usd,
    };
    const { environment } = backend;
    this.#capture = openCapture({ folder: outputs, agentType, environment, request: this.#request });
  }

  ask<const P extends Prompt>(wanted: P): Promise<AnswerTo<P>> {
    const { prompt, output } = typeof wanted === "string" ? { prompt: wanted, output: undefined } : wanted;
    const answer = this.#asked.then(() => this.#answer(prompt, output));
    this.#asked = answer.catch(() => {});
    return answer as Promise<AnswerTo<P>>;
  }

  async #answer(prompt: string, output: z.ZodType | undefined): Promise<Answer<unknown>> {
    const form = output === undefined ? null : outputForm(this.#backend.type, output);
    const started = performance.now();
    this.#usageBefore = this.usage;
    this.#usage = unknownUsage;
    const failedAttempts: FailedAttempt[] = [];
    const { text, structured } = await this.#insist(prompt, form?.schema, failedAttempts);
    const answer: Answer<unknown> = {
      prompt,
      text,
      output: await form?.parse(structured),
      usage: this.#usage,
      durationMs: Math.round(performance.now() - started),
      failedAttempts,
    };
    this.answers.push(answer);
    return answer;
  }

  get usage(): Usage {
    return addUsage(this.#usageBefore, this.#usage);
  }

  /** The result of the first attempt that does not fail. @throws Fault `turn_failed` */
  async #insist(prompt: string, schema: JsonSchema | undefined, attempts: FailedAttempt[]) {
    for (;;) {
      const result = await this.#try(prompt, schema, mostAttempts - attempts.length);
      if (result.outcome === "done") return result;
      const failure = this.#causeOf(result.failure);
      attempts.push(...attemptsOf(failure, new Date()));
      const delay = retryDelay(failure, attempts.length, this.#retryDelayMs, Math.random());
      if (delay === null) throw new Fault("turn_failed", { agent: this.#backend.type, failure, attempts });
      const text = `Attempt ${attempts.length} of ${mostAttempts} failed: ${failure.message} The next one follows in ${(delay / 1000).toFixed(1)} s.`;
      this.#capture.write({ type: "notice", text });
      this.#onEvent({ type: "notice", text });
      // A context that has answered nothing holds nothing worth keeping: a fresh one does not depend on what is wrong.
      if (this.answers.length === 0) await this.#closeSession();
      // An abort ends the wait, and then the next attempt.
      await sleep(delay, undefined, { signal: this.#request.signal }).catch(() => {});
    }
  }

  async #try(prompt: string, schema: JsonSchema | undefined, attempts: number): Promise<TurnResult> {
    this.#budget.beginTurn();
    if (this.#request.signal.aborted) return endedBefore;
    this.#session ??= captureSession(this.#backend.open({ ...this.#request, attempts }), this.#capture);
    const turn = this.#session.turn(prompt, schema === undefined ? {} : { output: schema });
    try {
      for await (const event of turn) {
        if (event.type === "session.start") this.#ref = event.session;
        this.#budget.note(event);
        this.#onEvent(event);
      }
    } catch (error) {
      // Somebody who cannot hear any more is not to pay for the rest.
      this.#closing.abort();
      this.#book(await turn.result);
      throw error;
    }
    return this.#book(await turn.result);
  }

  #book(result: TurnResult): TurnResult {
    this.#usage = addUsage(this.#usage, result.usage);
    this.#lastOutcome = result.outcome;
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
    // Whatever is still asked fails as aborted, and what is asked from now on too.
    this.#closing.abort();
    await this.#asked;
    this.#budget[Symbol.dispose]();
    await this.#closeSession();
    const { usage } = this;
    const durationMs = Math.round(performance.now() - this.#started);
    const capture = await this.#capture.close({ outcome: this.#lastOutcome, usage, durationMs });
    const text = this.#capture.trouble();
    if (text !== null) this.#onEvent({ type: "notice", text });
    return { session: this.#ref, capture, usage };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }
}
