/**
 * A plugin that runs inside the opencode servers we start, and holds the sessions of ours to what their metadata say:
 * opencode's own rules let some calls pass unasked (a command line that only redirects, say), give subagents nothing but
 * denials, and cannot end its retries. It is loaded by opencode's own Bun, so it imports nothing but plain files.
 */
import { refusalOf } from "../../tools/judge.ts";
import type { SessionLimits } from "./session-limits.ts";
import { readToolCall } from "./tool-call.ts";

interface Opencode {
  directory: string;
  client: {
    session: {
      get(asked: { path: { id: string }; throwOnError: true }): Promise<{ data: Session }>;
    };
  };
}

interface Session {
  id: string;
  parentID?: string;
  metadata?: { ralpher?: SessionLimits };
}

interface OpencodeEvent {
  type: string;
  properties: { sessionID?: string; info?: Session; status?: { type: string; attempt?: number } };
}

/** As opencode's plugins are: https://opencode.ai/docs/plugins. What a hook throws, opencode takes for the call's failure. */
export async function RalpherGuard({ client, directory }: Opencode) {
  const limits = new Map<string, Promise<SessionLimits>>();
  const failedTries = new Map<string, number>();

  function limitsOf(sessionID: string): Promise<SessionLimits> {
    const known = limits.get(sessionID) ?? findLimits(sessionID);
    limits.set(sessionID, known);
    known.catch(() => limits.delete(sessionID));
    return known;
  }

  async function findLimits(id: string): Promise<SessionLimits> {
    const { data } = await client.session.get({ path: { id }, throwOnError: true });
    if (data.metadata?.ralpher !== undefined) return data.metadata.ralpher;
    return data.parentID === undefined ? {} : await limitsOf(data.parentID);
  }

  return {
    async "tool.execute.before"(call: { tool: string; sessionID: string }, { args }: { args: unknown }) {
      const { tools } = await limitsOf(call.sessionID);
      const refusal = refusalOf(tools, directory, readToolCall(call.tool, args));
      if (refusal !== null) throw new Error(refusal);
    },
    /** Before each request to the provider, the repeated ones too. */
    async "chat.params"({ sessionID }: { sessionID: string }) {
      const failed = failedTries.get(sessionID) ?? 0;
      if (failed === 0) return;
      const { attempts } = await limitsOf(sessionID);
      if (attempts !== undefined && failed >= attempts) throw new Error(`This was tried ${failed} times.`);
    },
    async event({ event: { type, properties } }: { event: OpencodeEvent }) {
      const { sessionID, info, status } = properties;
      // Who hears of a session when it is made need not ask for it before its first tool call.
      const made = type === "session.created" ? info?.metadata?.ralpher : undefined;
      if (info !== undefined && made !== undefined) limits.set(info.id, Promise.resolve(made));
      if (type !== "session.status" || sessionID === undefined || status === undefined) return;
      if (status.type === "retry") failedTries.set(sessionID, status.attempt ?? 0);
      else if (status.type === "idle") failedTries.delete(sessionID);
    },
  };
}
