import {
  type AgentEvent,
  type ToolCall,
  type TurnFailure,
  type TurnOptions,
  type TurnResult,
  type Usage,
  unknownUsage,
} from "@ralpher/contract";
import { type IdleWatch, startIdleWatch } from "../../idle-watch.ts";
import type { TurnWriter } from "../../turn-writer.ts";
import { within } from "../../within.ts";
import { answer } from "./answer.ts";
import { auditCall } from "./audit.ts";
import { explainFailure } from "./explain-failure.ts";
import { failureOfThrown } from "./failure.ts";
import { createGatekeeper } from "./gatekeeper.ts";
import type { Loan } from "./pooled-server.ts";
import { reachSession } from "./reach-session.ts";
import { reread } from "./reread.ts";
import { createRetryLog, type Retry, type RetryLog } from "./retry-log.ts";
import type { OpencodeServer } from "./server.ts";
import type { Conversation } from "./session.ts";
import { createTranscript, type Transcript } from "./transcript.ts";

// opencode answers in some hundred milliseconds, or it hangs.
const abortTimeoutMs = 1500;
const readTimeoutMs = 5000;

/** See a turn through: the writer gets its events and its result. Never throws. */
export async function runTurn(
  conversation: Conversation,
  prompt: string,
  options: TurnOptions,
  writer: TurnWriter,
): Promise<void> {
  const turn = new OpencodeTurn(conversation, writer.emit);
  writer.finish(await turn.run(prompt, options));
}

class OpencodeTurn {
  readonly #conversation: Conversation;
  readonly #retries: RetryLog;
  readonly #write: (event: AgentEvent) => void;
  /** Resolves with null when opencode rests, else with why the turn must be given up. */
  readonly #ended = Promise.withResolvers<TurnFailure | null>();
  #isOver = false;
  #isGivenUp = false;
  #idle: IdleWatch | null = null;
  #transcript: Transcript | null = null;
  #loan: Loan | null = null;
  #unlisten = () => {};

  constructor(conversation: Conversation, emit: (event: AgentEvent) => void) {
    this.#conversation = conversation;
    this.#retries = createRetryLog(conversation.request.attempts);
    this.#write = emit;
  }

  readonly #emit = (event: AgentEvent): void => {
    if (event.type !== "tool.complete") {
      this.#write(event);
      return;
    }
    // opencode may call a command completed that our abort ended.
    const tool: ToolCall = this.#isGivenUp ? { ...event.tool, status: "error" } : event.tool;
    this.#write({ ...event, tool });
    const failure = auditCall(this.#conversation.request, tool);
    if (failure !== null) this.#end(failure);
  };

  async run(prompt: string, options: TurnOptions): Promise<TurnResult> {
    const { stop, messageIds } = this.#conversation;
    const abort = () => this.#end({ reason: "aborted", message: "The turn was ended." });
    stop.addEventListener("abort", abort, { once: true });
    if (stop.aborted) abort();
    this.#checkCost();
    const begun = this.#begin(prompt, options).catch((error: unknown) => this.#end(failureOfThrown(error)));
    const cause = await this.#ended.promise;
    this.#idle?.stop();
    const result = cause === null ? await this.#judge() : await this.#giveUp(cause, begun);
    stop.removeEventListener("abort", abort);
    this.#unlisten();
    this.#loan?.end();
    this.#conversation.spentUsd += result.usage.costUsd ?? 0;
    for (const id of this.#transcript?.messageIds() ?? []) messageIds.add(id);
    return result;
  }

  #end(cause: TurnFailure | null): void {
    this.#isOver = true;
    this.#ended.resolve(cause);
  }

  /** Everything up to the prompt. Stops on the way when the turn is over. */
  async #begin(prompt: string, { output }: TurnOptions): Promise<void> {
    const place = await reachSession(this.#conversation, {
      isOver: () => this.#isOver,
      borrowed: (loan) => this.#borrowed(loan),
    });
    if (place === null) return;
    const { server, sessionID } = place;
    const { directory, model } = this.#conversation.request;
    this.#emit({ type: "session.start", session: { id: sessionID, serverUrl: server.url } });
    this.#warn(server);
    this.#listen(server, sessionID);
    await answer(
      server.client.session.promptAsync({
        sessionID,
        directory,
        parts: [{ type: "text", text: prompt }],
        ...(model === undefined ? {} : { model }),
        ...(output === undefined ? {} : { format: { type: "json_schema", schema: output, retryCount: 0 } }),
      }),
      "take the prompt",
    );
  }

  #borrowed(loan: Loan): void {
    if (this.#isOver) {
      loan.end();
      return;
    }
    this.#loan = loan;
    const { idleTimeoutMs } = this.#conversation.request;
    // A server that is starting says nothing and has a limit of its own.
    this.#idle ??= startIdleWatch(idleTimeoutMs, () =>
      this.#end({ reason: "timeout", message: `The agent said nothing for ${idleTimeoutMs / 1000} s.` }),
    );
  }

  #warn({ isOurs }: OpencodeServer): void {
    const names = Object.keys(this.#conversation.request.env ?? {});
    if (isOurs || names.length === 0) return;
    const text = `This opencode server has an environment of its own, without what the loop adds: ${names.join(", ")}.`;
    this.#emit({ type: "notice", text });
  }

  #listen(server: OpencodeServer, sessionId: string): void {
    const gatekeeper = createGatekeeper(server, this.#conversation.request);
    const transcript = createTranscript(sessionId, this.#conversation.messageIds, {
      emit: this.#emit,
      answered: (id, isLast) => {
        this.#retries.forget(id);
        if (!isLast) this.#checkCost();
      },
      idle: () => this.#end(null),
      retry: (id, retry) => this.#retry(id, retry),
      permission: gatekeeper.permission,
      question: gatekeeper.question,
    });
    this.#transcript = transcript;
    const serverEnded = () => this.#end(server.ended.reason);
    server.ended.addEventListener("abort", serverEnded, { once: true });
    if (server.ended.aborted) serverEnded();
    const unlisten = server.feed.listen(sessionId, {
      event: (event) => {
        this.#idle?.touch();
        transcript.read(event);
      },
      gap: () => this.#reread().catch((error: unknown) => this.#end(failureOfThrown(error))),
      unreadable: (error) => this.#end({ ...failureOfThrown(error), reason: "protocol" }),
    });
    this.#unlisten = () => {
      unlisten();
      server.ended.removeEventListener("abort", serverEnded);
    };
  }

  #retry(sessionId: string, retry: Retry): void {
    const failure = this.#retries.note(sessionId, retry);
    if (failure !== null) {
      this.#end(failure);
      return;
    }
    const { attempt, message, next } = retry;
    this.#idle?.excuse(next);
    const seconds = Math.ceil(Math.max(0, next - Date.now()) / 1000);
    const text = `opencode tries again in ${seconds} s (${attempt}), for the model's provider failed: ${message}`;
    this.#emit({ type: "notice", text });
  }

  /** Ends the turn when the session has cost more than it may. What it has answered by then is still its answer. */
  #checkCost(): void {
    const { request, spentUsd } = this.#conversation;
    const { costLimitUsd } = request;
    const cost = spentUsd + (this.#usage().costUsd ?? 0);
    if (costLimitUsd === undefined || cost <= costLimitUsd) return;
    const message = `It has cost $${cost.toFixed(4)}, and may cost $${costLimitUsd}.`;
    this.#end({ reason: "budget", message });
  }

  /** @throws Unusable */
  async #reread(): Promise<void> {
    const { server, id, request } = this.#conversation;
    if (server === null || id === null || this.#transcript === null) return;
    await reread(server, id, request.directory, this.#transcript);
  }

  /** opencode rests: what became of the turn? */
  async #judge(): Promise<TurnResult> {
    let verdict = this.#transcript?.verdict();
    if (verdict?.state === "unclear") {
      await within(this.#reread(), readTimeoutMs);
      verdict = this.#transcript?.verdict();
    }
    const usage = this.#usage();
    if (verdict?.state === "done") {
      const { state: _, ...answer } = verdict;
      return { outcome: "done", ...answer, usage };
    }
    if (verdict?.state === "failed") {
      const failure = await explainFailure(verdict.error, this.#conversation);
      return { outcome: "failed", failure: this.#retries.complete(this.#conversation.id ?? "", failure), usage };
    }
    const message = "opencode stopped without finishing its answer. Somebody may have ended the session there.";
    return { outcome: "failed", failure: { reason: "aborted", message }, usage };
  }

  /** Stop the agent, as far as it listens, and what it left behind. */
  async #giveUp(failure: TurnFailure, begun: Promise<void>): Promise<TurnResult> {
    const { server } = this.#conversation;
    this.#isGivenUp = true;
    if (server !== null && !server.ended.aborted) {
      await within(this.#abort(server, begun), abortTimeoutMs);
      await this.#conversation.endStrays();
    }
    return { outcome: "failed", failure, usage: this.#usage() };
  }

  async #abort({ client }: OpencodeServer, begun: Promise<void>): Promise<void> {
    // An abort that overtakes the prompt would end nothing.
    await begun;
    const { id, request } = this.#conversation;
    if (id !== null) await client.session.abort({ sessionID: id, directory: request.directory });
  }

  #usage(): Usage {
    return this.#transcript?.usage() ?? unknownUsage;
  }
}
