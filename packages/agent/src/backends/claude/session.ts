import { randomUUID } from "node:crypto";
import type { AgentSession, JsonSchema, SessionRequest } from "@ralpher/contract";
import { createTurnQueue } from "../../turn-queue.ts";
import { type ClaudeProcess, type Place, startClaudeProcess } from "./claude-process.ts";
import type { Installation } from "./executable.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { runTurn } from "./turn.ts";

/** What a session keeps from turn to turn. */
export interface Conversation {
  readonly request: SessionRequest;
  /** Claude Code's id of the session, which we choose: a new one as long as there is no record to go on with. */
  id: string;
  /** Aborts when the session is to end, for whatever reason. */
  readonly stop: AbortSignal;
  readonly ledger: Ledger;
  /** The agent has answered, so that there is a record which a new process can go on with. */
  isKept: boolean;
  /** The message that the next process goes on from; null: the last one. */
  resumeAt: string | null;
  /**
   * The process to use for a prompt whose answer is wanted in this form, or in none.
   * @throws Unusable
   */
  requireProcess(output: JsonSchema | undefined): Promise<ClaudeProcess>;
  /** End the process, if there is one, with everything it started. One that rests may put its affairs in order. */
  endProcess(isAtRest: boolean): Promise<void>;
}

/** A session of Claude Code, begun at its first turn. Closing it ends the turn under way; Claude Code keeps the record. */
export function createClaudeSession(
  request: SessionRequest,
  installation: Installation,
  onClosed: () => void,
): AgentSession {
  const closed = new AbortController();
  const ledger = createLedger();
  let current: { process: ClaudeProcess; form: string } | null = null;

  async function endProcess(isAtRest: boolean): Promise<void> {
    if (current === null) return;
    const { process } = current;
    current = null;
    const isOrderly = isAtRest && !process.ended.aborted && (await process.close());
    if (!isOrderly) {
      await process.end();
      ledger.lose();
    }
  }

  function placeToGoOn(): Place {
    const { id, isKept, resumeAt } = conversation;
    conversation.resumeAt = null;
    if (isKept) return { resume: id, ...(resumeAt === null ? {} : { resumeSessionAt: resumeAt }) };
    // An id is taken as soon as Claude Code writes down the prompt, at a moment that it does not tell.
    conversation.id = randomUUID();
    return { sessionId: conversation.id };
  }

  const conversation: Conversation = {
    request,
    id: "",
    stop: AbortSignal.any([request.signal, closed.signal]),
    ledger,
    isKept: false,
    resumeAt: null,
    async requireProcess(output) {
      const form = JSON.stringify(output) ?? "";
      if (current?.form !== form || current.process.ended.aborted) {
        await endProcess(true);
        const budgetUsd = ledger.left(request.costLimitUsd);
        const process = await startClaudeProcess(installation, { request, output, budgetUsd }, placeToGoOn());
        current = { process, form };
      }
      return current.process;
    },
    endProcess,
  };
  const turns = createTurnQueue(request, (writer, prompt, { output }) => runTurn(conversation, prompt, output, writer));
  return {
    turn: turns.add,
    async [Symbol.asyncDispose]() {
      closed.abort();
      await turns.settled();
      await endProcess(true);
      onClosed();
    },
  };
}
