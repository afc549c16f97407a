import type { AgentSession, SessionRequest } from "@ralpher/contract";
import { createTurnQueue } from "../../turn-queue.ts";
import type { OpencodeServer } from "./server.ts";
import type { Seat } from "./server-pool.ts";
import { runTurn } from "./turn.ts";

/** What a session keeps from turn to turn. */
export interface Conversation {
  readonly request: SessionRequest;
  readonly seat: Seat;
  /** Aborts when the session is to end, for whatever reason. */
  readonly stop: AbortSignal;
  /** The server of the newest turn. */
  server: OpencodeServer | null;
  /** opencode's id of the session, once there is one. It outlives the server. */
  id: string | null;
  /** The messages of former turns. */
  readonly messageIds: Set<string>;
  /** What former turns have cost, as far as opencode told. US dollars. */
  spentUsd: number;
  /** End what the agent's tools left running, unless another session works in the same directory. */
  endStrays(): Promise<void>;
}

/** A session of opencode, made at its first turn. Closing it ends the turn under way; opencode keeps the record of it. */
export function createOpencodeSession(
  request: SessionRequest,
  seat: Seat,
  isAlone: () => boolean,
  onClosed: () => void,
): AgentSession {
  const closed = new AbortController();
  const conversation: Conversation = {
    request,
    seat,
    stop: AbortSignal.any([request.signal, closed.signal]),
    server: null,
    id: null,
    messageIds: new Set(),
    spentUsd: 0,
    async endStrays() {
      if (isAlone()) await conversation.server?.endStrays(request.directory);
    },
  };
  const turns = createTurnQueue(request, (writer, prompt, options) => runTurn(conversation, prompt, options, writer));
  return {
    turn: turns.add,
    async [Symbol.asyncDispose]() {
      closed.abort();
      await turns.settled();
      await conversation.endStrays();
      await seat.leave();
      onClosed();
    },
  };
}
