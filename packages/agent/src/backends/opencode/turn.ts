import { type AgentEvent, type TurnFailure, type TurnResult, unknownUsage } from "@ralpher/contract";
import { type IdleWatch, startIdleWatch } from "../../idle-watch.ts";
import type { TurnWriter } from "../../turn-writer.ts";
import { answer } from "./answer.ts";
import { failureOfError, failureOfThrown, type OpencodeError } from "./failure.ts";
import { lacksModel } from "./model-check.ts";
import { reread } from "./reread.ts";
import type { OpencodeServer } from "./server.ts";
import type { Conversation } from "./session.ts";
import { createTranscript, type Retry, type Transcript } from "./transcript.ts";
import { within } from "./within.ts";

// A provider that asks for a longer wait than this is a matter for the loop, which shows it and lets others go on.
const longWaitMs = 120_000;
// opencode answers in some hundred milliseconds, or it hangs.
const abortTimeoutMs = 1500;
const readTimeoutMs = 5000;

/** See a turn through: the writer gets its events and its result. Never throws. */
export async function runTurn(conversation: Conversation, prompt: string, writer: TurnWriter): Promise<void> {
  const turn = new OpencodeTurn(conversation, writer.emit);
  writer.finish(await turn.run(prompt));
}

class OpencodeTurn {
  readonly #conversation: Conversation;
  readonly #write: (event: AgentEvent) => void;
  /** Resolves with null when opencode rests, else with why the turn must be given up. */
  readonly #ended = Promise.withResolvers<TurnFailure | null>();
  #isOver = false;
  #isGivenUp = false;
  #idle: IdleWatch | null = null;
  #transcript: Transcript | null = null;
  #unlisten = () => {};

  constructor(conversation: Conversation, emit: (event: AgentEvent) => void) {
    this.#conversation = conversation;
    this.#write = emit;
  }

  // opencode may call a command completed that our abort ended.
  readonly #emit = (event: AgentEvent): void => {
    if (this.#isGivenUp && event.type === "tool.complete")
      this.#write({ ...event, tool: { ...event.tool, status: "error" } });
    else this.#write(event);
  };

  async run(prompt: string): Promise<TurnResult> {
    const { stop, messageIds } = this.#conversation;
    const abort = () => this.#end({ reason: "aborted", message: "The turn was ended." });
    stop.addEventListener("abort", abort, { once: true });
    if (stop.aborted) abort();
    const begun = this.#begin(prompt).catch((error: unknown) => this.#end(failureOfThrown(error)));
    const cause = await this.#ended.promise;
    this.#isOver = true;
    this.#idle?.stop();
    const result = cause === null ? await this.#judge() : await this.#giveUp(cause, begun);
    stop.removeEventListener("abort", abort);
    this.#unlisten();
    for (const id of this.#transcript?.messageIds() ?? []) messageIds.add(id);
    return result;
  }

  #end(cause: TurnFailure | null): void {
    this.#ended.resolve(cause);
  }

  /** Everything up to the prompt. Stops on the way when the turn is over. */
  async #begin(prompt: string): Promise<void> {
    if (this.#isOver) return;
    const { request, requireServer } = this.#conversation;
    const { directory, model, idleTimeoutMs } = request;
    const server = await requireServer();
    if (this.#isOver) return;
    this.#conversation.server = server;
    // A server that is starting says nothing and has a limit of its own.
    this.#idle = startIdleWatch(idleTimeoutMs, () =>
      this.#end({ reason: "timeout", message: `The agent said nothing for ${idleTimeoutMs / 1000} s.` }),
    );
    const sessionID = await this.#requireSession(server);
    if (this.#isOver) return;
    this.#emit({ type: "session.start", session: { id: sessionID, serverUrl: server.url } });
    this.#listen(server, sessionID);
    await answer(
      server.client.session.promptAsync({
        sessionID,
        directory,
        parts: [{ type: "text", text: prompt }],
        ...(model === undefined ? {} : { model }),
      }),
      "take the prompt",
    );
  }

  async #requireSession({ client }: OpencodeServer): Promise<string> {
    const { id, request } = this.#conversation;
    if (id !== null) return id;
    const { directory, title } = request;
    // Nobody is there to answer questions. All else is as the user's own rules say, and what they ask about is granted.
    const permission = [{ permission: "question", pattern: "*", action: "deny" as const }];
    const session = await answer(client.session.create({ directory, title, permission }), "make a session");
    this.#conversation.id = session.id;
    return session.id;
  }

  #listen(server: OpencodeServer, sessionId: string): void {
    const transcript = createTranscript(sessionId, this.#conversation.messageIds, {
      emit: this.#emit,
      idle: () => this.#end(null),
      retry: (retry) => this.#retry(retry),
      permission: (id) => this.#grant(id),
      question: (id) => this.#reject(id),
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

  #retry({ attempt, message, next }: Retry): void {
    const waitMs = Math.max(0, Math.round(next - Date.now()));
    if (waitMs > longWaitMs) {
      this.#end({ reason: "rate_limited", message, retryAfterMs: waitMs });
      return;
    }
    this.#idle?.excuse(next);
    const text = `opencode tries again in ${Math.ceil(waitMs / 1000)} s (${attempt}), for the model's provider failed: ${message}`;
    this.#emit({ type: "notice", text });
  }

  // Only this once: "always" would be remembered for the user's own sessions. An answer that does not arrive leaves the
  // agent silent, which has its limit.
  #grant(requestID: string): void {
    const { server, request } = this.#conversation;
    const { directory } = request;
    server?.client.permission.reply({ requestID, directory, reply: "once" }).catch(() => {});
  }

  #reject(requestID: string): void {
    const { server, request } = this.#conversation;
    const { directory } = request;
    server?.client.question.reject({ requestID, directory }).catch(() => {});
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
    if (verdict?.state === "done") return { outcome: "done", text: verdict.text, usage };
    if (verdict?.state === "failed") return { outcome: "failed", failure: await this.#explain(verdict.error), usage };
    const message = "opencode stopped without finishing its answer. Somebody may have ended the session there.";
    return { outcome: "failed", failure: { reason: "aborted", message }, usage };
  }

  async #explain(error: OpencodeError): Promise<TurnFailure> {
    const failure = failureOfError(error);
    const { server, request } = this.#conversation;
    const { model, directory } = request;
    if (error.name !== "UnknownError" || server === null || model === undefined) return failure;
    const lacking = await within(lacksModel(server.client, directory, model), readTimeoutMs);
    return lacking === true ? { ...failure, reason: "model" } : failure;
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

  #usage() {
    return this.#transcript?.usage() ?? unknownUsage;
  }
}
