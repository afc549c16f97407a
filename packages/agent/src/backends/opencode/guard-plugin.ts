/**
 * A plugin that runs inside the opencode servers we start for sessions with an allowlist, and holds each session to what
 * its metadata say: opencode's own rules let some calls pass unasked (a command line that only redirects, say), and give
 * subagents nothing but denials. It is loaded by opencode's own Bun, so it imports nothing but plain files.
 */
import type { ToolAccess } from "@ralpher/contract";
import { refusalOf } from "../../tools/judge.ts";
import { readToolCall } from "./tool-call.ts";

/** What a session may do, as its metadata in opencode say. */
export type SessionMetadata = { ralpher?: { tools: ToolAccess } };

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
  metadata?: SessionMetadata;
}

interface OpencodeEvent {
  type: string;
  properties: { info?: Session };
}

type Access = ToolAccess | undefined;

/** As opencode's plugins are: https://opencode.ai/docs/plugins. What a hook throws, opencode takes for the call's failure. */
export async function RalpherGuard({ client, directory }: Opencode) {
  const accesses = new Map<string, Promise<Access>>();

  function accessOf(sessionID: string): Promise<Access> {
    const known = accesses.get(sessionID) ?? findAccess(sessionID);
    accesses.set(sessionID, known);
    known.catch(() => accesses.delete(sessionID));
    return known;
  }

  async function findAccess(id: string): Promise<Access> {
    const { data } = await client.session.get({ path: { id }, throwOnError: true });
    const tools = data.metadata?.ralpher?.tools;
    return tools === undefined && data.parentID !== undefined ? await accessOf(data.parentID) : tools;
  }

  return {
    async "tool.execute.before"(call: { tool: string; sessionID: string }, { args }: { args: unknown }) {
      const tools = await accessOf(call.sessionID);
      const refusal = refusalOf(tools, directory, readToolCall(call.tool, args));
      if (refusal !== null) throw new Error(refusal);
    },
    async event({ event: { type, properties } }: { event: OpencodeEvent }) {
      const { info } = properties;
      // Who hears of a session when it is made need not ask for it before its first tool call.
      const made = type === "session.created" ? info?.metadata?.ralpher : undefined;
      if (info !== undefined && made !== undefined) accesses.set(info.id, Promise.resolve(made.tools));
    },
  };
}
