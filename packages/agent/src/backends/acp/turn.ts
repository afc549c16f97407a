import {
  type AgentEvent,
  type TurnFailure,
  type TurnOptions,
  type TurnResult,
  type Usage,
  unknownUsage,
} from "@ralpher/contract";
import { type IdleWatch, startIdleWatch } from "../../idle-watch.ts";
import { refusalOf } from "../../tools/judge.ts";
import type { TurnWriter } from "../../turn-writer.ts";
import { within } from "../../within.ts";
import type { Agent } from "./agent.ts";
import { type Attempts, createAttempts, type Verdict } from "./attempts.ts";
import { readClaudeMessage } from "./claude-message.ts";
import { failureOfThrown } from "./failure.ts";
import { countsLastAnswerOnly } from "./known-agents.ts";
import { PromptResult } from "./messages.ts";
import { createOpencodeLog } from "./opencode-log.ts";
import { decide } from "./permission.ts";
import type { Conversation } from "./session.ts";
import type { Sign } from "./sign.ts";
import { failureOfStop } from "./stop-reason.ts";
import { askFor, readStructured } from "./structured.ts";
import type { EndedCall } from "./tool-calls.ts";
import { createTranscript, type Transcript } from "./transcript.ts";
import { startUnheardWatch, type UnheardWatch } from "./unheard.ts";
import { tokensOf } from "./usage.ts";
import { writeFile } from "./write-file.ts";

// Agents answer to a cancellation in some hundred milliseconds, or they hang.
const cancelTimeoutMs = 1500;

/** See a turn through: the writer gets its events and its result. Never throws. */
export async function runTurn(
  conversation: Conversation,
  prompt: string,
  options: TurnOptions | undefined,
  writer: TurnWriter,
): Promise<void> {
  const turn = new AcpTurn(conversation, options ?? {}, writer.emit);
  writer.finish(await turn.run(prompt));
}

class AcpTurn {
  readonly #conversation: Conversation;
  readonly #options: TurnOptions;
  readonly #write: (event: AgentEvent) => void;
  readonly #attempts: Attempts;
  readonly #transcript: Transcript;
  readonly #unheard: UnheardWatch;
  /** Resolves when the agent has answered or refused, or else with why the turn must be given up. */
  readonly #ended = Promise.withResolvers<TurnFailure | "by the agent">();
  #answer: PromptResult | null = null;
  #refusal: TurnFailure | null = null;
  #isPrompted = false;
  #isGivenUp = false;
  #isUrgent = false;
  #idle: IdleWatch | null = null;

  constructor(conversation: Conversation, options: TurnOptions, write: (event: AgentEvent) => void) {
    this.#conversation = conversation;
    this.#options = options;
    this.#write = write;
    this.#attempts = createAttempts(conversation.request.attempts);
    this.#unheard = startUnheardWatch((what) => this.#giveUp(unheard(what)));
    this.#transcript = createTranscript({
      emit: (event) => this.#emit(event),
      cost: (total) => conversation.spending.note(total),
      toolEnded: (call) => this.#check(call),
    });
  }

  async run(prompt: string): Promise<TurnResult> {
    const { stop, spending } = this.#conversation;
    spending.begin();
    if (this.#isSpent()) return this.#failed(overBudget);
    const abort = () => this.#giveUp({ reason: "aborted", message: "The turn was ended." });
    stop.addEventListener("abort", abort, { once: true });
    if (stop.aborted) abort();
    const begun = this.#begin(prompt);
    const cause = await this.#ended.promise;
    if (cause !== "by the agent") await this.#stopAgent(cause, begun);
    stop.removeEventListener("abort", abort);
    const { agent } = this.#conversation;
    if (agent !== null) agent.listener = null;
    // Only now: what an agent says while it is being stopped would start them anew, and their timers keep the process.
    this.#idle?.stop();
    this.#unheard.stop();
    return cause === "by the agent" ? this.#judge() : this.#failed(cause);
  }

  #emit(event: AgentEvent): void {
    // An agent may call a command completed that our cancellation ended.
    if (this.#isGivenUp && event.type === "tool.complete") {
      this.#write({ ...event, tool: { ...event.tool, status: "error" } });
    } else this.#write(event);
  }

  /** `isUrgent`: the next moment is too late to stop the agent. */
  #giveUp(cause: TurnFailure, isUrgent = false): void {
    this.#isGivenUp = true;
    this.#isUrgent ||= isUrgent;
    this.#ended.resolve(cause);
  }

  /** From the start of the agent, where there is none yet, to its answer. Never throws. */
  async #begin(prompt: string): Promise<void> {
    try {
      const former = this.#conversation.agent;
      if (this.#isGivenUp) return;
      const { agent, id } = await this.#conversation.requireAgent();
      if (this.#isGivenUp) return;
      this.#emit({ type: "session.start", session: { id } });
      this.#listen(agent, id);
      this.#watch(agent !== former);
      this.#isPrompted = true;
      const { output } = this.#options;
      const text = output === undefined ? prompt : prompt + askFor(output);
      const params = { sessionId: id, prompt: [{ type: "text", text }] };
      this.#answer = await agent.request("session/prompt", params, PromptResult);
    } catch (error) {
      this.#refusal = failureOfThrown(error);
    }
    this.#ended.resolve("by the agent");
  }

  #listen(agent: Agent, sessionId: string): void {
    const { request } = this.#conversation;
    const log = createOpencodeLog(sessionId, Date.now());
    agent.listener = {
      update: (session, update) => {
        if (session === sessionId) this.#read(update);
      },
      extension: (method, params) => this.#hear(readClaudeMessage(sessionId, method, params)),
      log: (line) => this.#hear(log.read(line)),
      permission: (asked) => {
        this.#live();
        this.#unheard.heard();
        if (this.#isGivenUp) return Promise.resolve({ outcome: { outcome: "cancelled" } });
        return decide(asked, request.tools, request.directory, this.#transcript.tools);
      },
      write: (asked) => (this.#isGivenUp ? "the turn was ended" : writeFile(request, asked)),
    };
  }

  /** A process that has just started has much to read before its first word. */
  #watch(isFresh: boolean): void {
    const { request, startTimeoutMs } = this.#conversation;
    const limitMs = isFresh ? Math.max(request.idleTimeoutMs, startTimeoutMs) : request.idleTimeoutMs;
    this.#idle = startIdleWatch(limitMs, () => this.#giveUp(this.#silence(limitMs)));
    if (!isFresh) return;
    const first = this.#idle;
    this.#live = () => {
      first.stop();
      this.#watch(false);
      this.#live = () => this.#idle?.touch();
    };
  }

  #live = () => this.#idle?.touch();

  #silence(limitMs: number): TurnFailure {
    const message = `The agent said nothing for ${limitMs / 1000} s.`;
    return this.#attempts.pending() ?? { reason: "timeout", message };
  }

  #read(update: unknown): void {
    const wasSpent = this.#isSpent();
    const what = this.#transcript.read(update);
    if (what === null) return;
    this.#live();
    if (what !== "work") return;
    this.#attempts.succeed();
    // What the last answer cost is often told only at the end of the turn: that may be the end of it.
    if (wasSpent) this.#giveUp(overBudget);
  }

  #hear(signs: Sign[]): void {
    for (const sign of signs) {
      if (sign.kind === "life") this.#live();
      if (sign.kind === "asking") this.#unheard.asked(sign.what);
      if (sign.kind === "answer") this.#attempts.forget();
      if (sign.kind === "failed") this.#obey(this.#attempts.fail(sign.failure));
      if (sign.kind === "retry" && !this.#obey(this.#attempts.retry(sign.failure))) this.#await(sign.failure);
    }
  }

  #obey(verdict: Verdict | null): boolean {
    if (verdict !== null) this.#giveUp(verdict.failure, verdict.isUrgent);
    return verdict !== null;
  }

  /** The agent will try again. */
  #await({ message, retryAfterMs = 0 }: TurnFailure): void {
    this.#transcript.restart();
    this.#live();
    this.#idle?.excuse(Date.now() + retryAfterMs);
    const when = retryAfterMs > 0 ? `in ${Math.ceil(retryAfterMs / 1000)} s` : "now";
    this.#emit({ type: "notice", text: `The agent tries again ${when} (${this.#attempts.count}): ${message}` });
  }

  /** A tool that has run though it was not allowed: the agent did not ask, so nothing holds it back. */
  #check({ wanted, status, isGranted }: EndedCall): void {
    const { tools, directory } = this.#conversation.request;
    if (status !== "completed" || isGranted) return;
    const refusal = refusalOf(tools, directory, wanted);
    if (refusal === null) return;
    const message = `The agent used ${wanted.name} without asking, so it cannot be held to what is allowed. ${refusal}`;
    this.#giveUp({ reason: "protocol", message });
  }

  #isSpent(): boolean {
    const { request, spending } = this.#conversation;
    return request.costLimitUsd !== undefined && (spending.total ?? 0) >= request.costLimitUsd;
  }

  /** The agent has answered, or refused to. */
  #judge(): TurnResult {
    this.#transcript.pause();
    if (this.#answer === null) return this.#failed(this.#attempts.complete(this.#refusal ?? noAnswer));
    const failure = failureOfStop(this.#answer.stopReason);
    if (failure !== null) return this.#failed(failure);
    const text = this.#transcript.text();
    const structured = this.#options.output === undefined ? undefined : readStructured(text);
    return { outcome: "done", text, ...(structured === undefined ? {} : { structured }), usage: this.#usage() };
  }

  /** Have the agent stop. One that does so goes on with the next turn, unless it is to leave nothing running. */
  async #stopAgent({ reason }: TurnFailure, begun: Promise<void>): Promise<void> {
    const { agent, id } = this.#conversation;
    let hasStopped = false;
    if (this.#isUrgent) await agent?.kill();
    else if (agent !== null && this.#isPrompted && !agent.ended.aborted) {
      agent.notify("session/cancel", { sessionId: id });
      hasStopped =
        (await within(
          begun.then(() => true),
          cancelTimeoutMs,
        )) ?? false;
    }
    if (!hasStopped || reason === "aborted" || reason === "timeout" || reason === "protocol") await agent?.end();
    await begun;
  }

  #failed(failure: TurnFailure): TurnResult {
    return { outcome: "failed", failure, usage: this.#usage() };
  }

  #usage(): Usage {
    const { agent, spending } = this.#conversation;
    const isPartial = agent !== null && countsLastAnswerOnly(agent.about) && this.#transcript.tools.count > 0;
    const tokens = isPartial ? unknownUsage : tokensOf(this.#answer?.usage);
    return { ...tokens, costUsd: spending.ofTurn() };
  }
}

const overBudget: TurnFailure = { reason: "budget", message: "The session has cost as much as it may." };
const unheard = (what: string): TurnFailure => ({
  reason: "protocol",
  message: `A subagent asks for "${what}", and over this protocol nobody hears it. Allow or deny that in the agent's own settings.`,
});
const noAnswer: TurnFailure = { reason: "protocol", message: "The agent did not answer the prompt." };
