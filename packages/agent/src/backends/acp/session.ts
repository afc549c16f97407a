import type { AgentSession, SessionRequest } from "@ralpher/contract";
import { createTurnQueue } from "../../turn-queue.ts";
import { type Agent, openAgent } from "./agent.ts";
import { environmentFor } from "./known-agents.ts";
import { openSession } from "./opening.ts";
import { type CommandLine, commandOf } from "./program.ts";
import { runTurn } from "./turn.ts";
import { createSpending, type Spending } from "./usage.ts";

export interface AcpOptions {
  /** The agent's command line, program first, where a request names none. Default: `opencode acp`. */
  command?: readonly string[];
  /** Environment of the agents. Default: this process's. */
  env?: Record<string, string | undefined>;
  /** How long an agent may take to start, in milliseconds. Default 60 s. */
  startTimeoutMs?: number;
}

/** What a session keeps from turn to turn. */
export interface Conversation {
  readonly request: SessionRequest;
  readonly startTimeoutMs: number;
  /** Aborts when the session is to end, for whatever reason. */
  readonly stop: AbortSignal;
  /** The process that holds the session, while there is one. */
  agent: Agent | null;
  /** The agent's id of the session, once there is one. It outlives the process. */
  id: string | null;
  readonly spending: Spending;
  /**
   * The agent, and its id of the session in it. Started at first use, and anew when it has ended.
   * @throws Unusable
   */
  requireAgent(): Promise<{ agent: Agent; id: string }>;
}

/** A session in a process of its own, started at its first turn. Closing it ends both. */
export function createAcpSession(
  request: SessionRequest,
  { command, env = process.env, startTimeoutMs = 60_000 }: AcpOptions,
  onClosed: () => void,
): AgentSession {
  const closed = new AbortController();
  const line: CommandLine = commandOf(request.backend, command);
  const environment = { ...env, ...request.env };
  const conversation: Conversation = {
    request,
    startTimeoutMs,
    stop: AbortSignal.any([request.signal, closed.signal]),
    agent: null,
    id: null,
    spending: createSpending(),
    async requireAgent() {
      const { agent, id, stop } = conversation;
      if (agent !== null && id !== null && !agent.ended.aborted) return { agent, id };
      const started = await openAgent({
        command: line,
        cwd: request.directory,
        env: { ...environment, ...environmentFor(request, environment) },
        startTimeoutMs,
        stop,
      });
      conversation.agent = started;
      try {
        conversation.id = await openSession(started, conversation);
        return { agent: started, id: conversation.id };
      } catch (error) {
        await started.end();
        throw error;
      }
    },
  };
  const turns = createTurnQueue(request, (writer, prompt, options) => runTurn(conversation, prompt, options, writer));
  return {
    turn: turns.add,
    async [Symbol.asyncDispose]() {
      closed.abort();
      await turns.settled();
      await conversation.agent?.end();
      onClosed();
    },
  };
}
