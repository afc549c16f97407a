import { randomUUID } from "node:crypto";
import type { SDKMessage, SDKResultError, SDKResultMessage } from "@anthropic-ai/claude-agent-sdk";
import type { AgentEvent, JsonSchema, TurnFailure, TurnResult, Usage } from "@ralpher/contract";
import { type IdleWatch, startIdleWatch } from "../../idle-watch.ts";
import type { TurnWriter } from "../../turn-writer.ts";
import { Unusable } from "../../unusable.ts";
import { within } from "../../within.ts";
import { type Attempts, createAttempts } from "./attempts.ts";
import type { ClaudeProcess } from "./claude-process.ts";
import { failureOfResult, failureOfRetry } from "./failure.ts";
import type { Conversation } from "./session.ts";
import { createTranscript, type Transcript } from "./transcript.ts";

// Claude Code obeys in some ten milliseconds, or it hangs.
const interruptTimeoutMs = 1500;
// It also starts what the user has set up, such as hooks and MCP servers.
const startTimeoutMs = 60_000;

/** How a turn ended: with Claude Code's own result, or with why it had to be given up. */
type End = { result: SDKResultMessage } | { failure: TurnFailure };

/** See a turn through: the writer gets its events and its result. Never throws. */
export async function runTurn(
  conversation: Conversation,
  prompt: string,
  output: JsonSchema | undefined,
  writer: TurnWriter,
): Promise<void> {
  const turn = new ClaudeTurn(conversation, output, writer.emit);
  writer.finish(await turn.run(prompt));
}

class ClaudeTurn {
  readonly #conversation: Conversation;
  readonly #output: JsonSchema | undefined;
  readonly #emit: (event: AgentEvent) => void;
  readonly #id = randomUUID();
  readonly #ended = Promise.withResolvers<End>();
  readonly #result = Promise.withResolvers<SDKResultMessage>();
  readonly #attempts: Attempts;
  readonly #transcript: Transcript;
  #isOver = false;
  /** The prompt is sent. */
  #isAsked = false;
  #process: ClaudeProcess | null = null;
  #idle: IdleWatch | null = null;
  #unlisten = () => {};

  constructor(conversation: Conversation, output: JsonSchema | undefined, emit: (event: AgentEvent) => void) {
    this.#conversation = conversation;
    this.#output = output;
    this.#emit = emit;
    this.#attempts = createAttempts(conversation.request.attempts);
    this.#transcript = createTranscript({
      emit,
      answered: () => this.#attempts.forget(),
      retry: (retry) => {
        const failure = this.#attempts.note(retry);
        if (failure !== null) return this.#end({ failure });
        const { attempt, max_retries, retry_delay_ms } = retry;
        this.#idle?.excuse(Date.now() + retry_delay_ms);
        const again = `Claude Code asks again in ${Math.ceil(retry_delay_ms / 1000)} s (${attempt} of ${max_retries}).`;
        this.#emit({ type: "notice", text: `${failureOfRetry(retry).message} ${again}` });
      },
    });
  }

  async run(prompt: string): Promise<TurnResult> {
    const { stop } = this.#conversation;
    const abort = () => this.#end({ failure: { reason: "aborted", message: "The turn was ended." } });
    stop.addEventListener("abort", abort, { once: true });
    if (stop.aborted) abort();
    const begun = this.#begin(prompt).catch((error: unknown) => this.#end({ failure: failureOfThrown(error) }));
    const end = await this.#ended.promise;
    this.#idle?.stop();
    const result = await this.#conclude(end, begun);
    stop.removeEventListener("abort", abort);
    this.#unlisten();
    return result;
  }

  async #conclude(end: End, begun: Promise<void>): Promise<TurnResult> {
    try {
      return "result" in end ? await this.#judge(end.result) : await this.#giveUp(end.failure, begun);
    } catch (error) {
      // A program of another version may say things in a form that nobody has told us of.
      await this.#conversation.endProcess(false);
      const message = `Claude Code said something that cannot be understood: ${error}`;
      return { outcome: "failed", failure: { reason: "protocol", message }, usage: this.#transcript.usage() };
    }
  }

  #end(end: End): void {
    this.#isOver = true;
    this.#ended.resolve(end);
  }

  /** Everything up to the prompt. Stops on the way when the turn is over. */
  async #begin(prompt: string): Promise<void> {
    if (this.#isOver) return;
    const { request, requireProcess, ledger } = this.#conversation;
    if (ledger.left(request.costLimitUsd) === 0) {
      const message = `The session has cost the ${request.costLimitUsd} dollars it may.`;
      return this.#end({ failure: { reason: "budget", message } });
    }
    const process = await requireProcess(this.#output);
    this.#process = process;
    if (this.#isOver) return;
    this.#emit({ type: "session.start", session: { id: this.#conversation.id } });
    this.#idle = this.#watch(Math.max(startTimeoutMs, request.idleTimeoutMs));
    const unlisten = process.listen((message) => this.#hear(message));
    const died = () => this.#end({ failure: this.#attempts.complete(process.ended.reason) });
    process.ended.addEventListener("abort", died, { once: true });
    if (process.ended.aborted) died();
    this.#unlisten = () => {
      unlisten();
      process.ended.removeEventListener("abort", died);
    };
    this.#isAsked = true;
    process.send(prompt, this.#id);
  }

  #watch(limitMs: number): IdleWatch {
    const failure: TurnFailure = { reason: "timeout", message: `The agent said nothing for ${limitMs / 1000} s.` };
    return startIdleWatch(limitMs, () => this.#end({ failure: this.#attempts.complete(failure) }));
  }

  #hear(message: SDKMessage): void {
    // That a tool still runs is no sign that it ever ends.
    if (message.type !== "tool_progress") this.#idle?.touch();
    if (message.type === "system" && message.subtype === "init" && !this.#isOver) {
      this.#idle?.stop();
      this.#idle = this.#watch(this.#conversation.request.idleTimeoutMs);
    }
    if (message.type === "assistant" || message.type === "stream_event") this.#conversation.isKept = true;
    this.#transcript.read(message);
    if (message.type === "result") this.#finish(message);
  }

  #finish(result: SDKResultMessage): void {
    // Somebody else's, such as of a message from another session of the user's.
    if (result.user_message_uuid !== undefined && result.user_message_uuid !== this.#id) return;
    this.#result.resolve(result);
    this.#end({ result });
  }

  async #judge(result: SDKResultMessage): Promise<TurnResult> {
    const usage = this.#account(result);
    // In the wrong form, that is; it is for others to say so.
    const isMisshapen = result.subtype === "error_max_structured_output_retries";
    if (result.is_error && !isMisshapen) {
      if (result.subtype !== "success") await this.#leave(result);
      return this.#fail(failureOfResult(result, this.#transcript.error()), usage);
    }
    const structured = this.#output === undefined ? null : this.#transcript.structured();
    // Claude Code has told an agent that only talked to answer in the form, and we have kept it from asking for that.
    const isReminded = this.#output !== undefined && structured === null;
    this.#conversation.resumeAt = isReminded ? this.#transcript.lastMessage() : null;
    // What Claude Code itself answers, to `/context` for example, comes as the result only.
    const text = this.#transcript.text() ?? (result.subtype === "success" ? result.result : "");
    return { outcome: "done", text, ...(structured === null ? {} : { structured: structured.value }), usage };
  }

  /** After other errors than the provider's the process ends by itself, or is of no more use. */
  async #leave(result: SDKResultError): Promise<void> {
    // It could not begin, and does not say why: there is no record of the session after all.
    if (this.#process?.isUp() === false && result.startup_failure_reason === undefined)
      this.#conversation.isKept = false;
    await this.#conversation.endProcess(true);
  }

  #account(result: SDKResultMessage): Usage {
    return this.#conversation.ledger.enter(result.modelUsage) ?? this.#transcript.usage();
  }

  #fail(failure: TurnFailure, usage: Usage): TurnResult {
    const until = failure.reason === "rate_limited" ? this.#transcript.limitedUntil() : null;
    const wait = until === null ? {} : { retryAfterMs: Math.max(0, until - Date.now()) };
    return { outcome: "failed", failure: { ...this.#attempts.complete(failure), ...wait }, usage };
  }

  /** Stop the agent, as far as it listens, so that its record is whole; and everything it started. */
  async #giveUp(failure: TurnFailure, begun: Promise<void>): Promise<TurnResult> {
    await begun;
    const result = await this.#interrupt();
    const usage = result === undefined ? this.#transcript.usage() : this.#account(result);
    await this.#conversation.endProcess(result !== undefined);
    return { outcome: "failed", failure, usage };
  }

  async #interrupt(): Promise<SDKResultMessage | undefined> {
    const process = this.#process;
    if (!this.#isAsked || process === null || !process.isUp() || process.ended.aborted) return undefined;
    process.interrupt().catch(() => {});
    return await within(this.#result.promise, interruptTimeoutMs);
  }
}

function failureOfThrown(error: unknown): TurnFailure {
  if (error instanceof Unusable) return error.failure;
  return { reason: "unknown", message: error instanceof Error ? error.message : String(error) };
}
