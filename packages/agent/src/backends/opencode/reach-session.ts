import { answer } from "./answer.ts";
import { failureOfThrown } from "./failure.ts";
import type { SessionMetadata } from "./guard-plugin.ts";
import type { Loan } from "./pooled-server.ts";
import type { OpencodeServer } from "./server.ts";
import type { Conversation } from "./session.ts";
import { readSessionRules } from "./session-rules.ts";

/** The turn that wants to go to a session. */
interface Visitor {
  isOver(): boolean;
  /** It is lent a server, and must end the loan. */
  borrowed(loan: Loan): void;
}

/**
 * A server that answers, and opencode's id of the session there, which is made at the first turn; null when the turn is
 * over before that.
 * @throws Unusable
 */
export async function reachSession(
  conversation: Conversation,
  visitor: Visitor,
): Promise<{ server: OpencodeServer; sessionID: string } | null> {
  for (let isSecond = false; ; isSecond = true) {
    if (visitor.isOver()) return null;
    const loan = await conversation.seat.borrow();
    visitor.borrowed(loan);
    if (visitor.isOver()) return null;
    const { server } = loan;
    conversation.server = server;
    try {
      const sessionID = await requireSession(server, conversation);
      return visitor.isOver() ? null : { server, sessionID };
    } catch (error) {
      if (isSecond || !server.isOurs || failureOfThrown(error).reason !== "connection") throw error;
      // It died a moment ago, and nobody has noticed.
      loan.discard();
      loan.end();
    }
  }
}

async function requireSession(server: OpencodeServer, conversation: Conversation): Promise<string> {
  const { id, request } = conversation;
  const { directory, title, tools } = request;
  const { session } = server.client;
  if (id !== null) return (await answer(session.get({ sessionID: id, directory }), "find the session")).id;
  const permission = await readSessionRules(server, directory, tools);
  const metadata: SessionMetadata = tools === undefined ? {} : { ralpher: { tools } };
  const made = await answer(session.create({ directory, title, permission, metadata }), "make a session");
  conversation.id = made.id;
  return made.id;
}
