import type { Event } from "@opencode-ai/sdk/v2/client";
import { answer } from "./answer.ts";
import type { OpencodeServer } from "./server.ts";
import type { Transcript } from "./transcript.ts";

/**
 * Tell a transcript how a session stands now, as if the events had just come: for when some were missed.
 * @throws Unusable
 */
export async function reread(
  { client, feed }: OpencodeServer,
  sessionId: string,
  directory: string,
  transcript: Transcript,
): Promise<void> {
  // First the status: if opencode rests now, then what is read after it is final.
  const status = await answer(client.session.status({ directory }), "tell its status");
  const children = await answer(client.session.children({ sessionID: sessionId, directory }), "list subagents");
  const family = [...children.map(({ id }) => id), sessionId];
  for (const id of family) {
    feed.adopt(id, sessionId);
    const messages = await answer(client.session.messages({ sessionID: id, directory }), "read a session");
    for (const { info, parts } of messages) {
      tell({ id: "", type: "message.updated", properties: { sessionID: id, info } });
      for (const part of parts) {
        tell({ id: "", type: "message.part.updated", properties: { sessionID: id, part, time: 0 } });
      }
    }
  }
  const permissions = await answer(client.permission.list({ directory }), "list permissions");
  for (const asked of permissions.filter(({ sessionID }) => family.includes(sessionID))) {
    tell({ id: "", type: "permission.asked", properties: asked });
  }
  const questions = await answer(client.question.list({ directory }), "list questions");
  for (const asked of questions.filter(({ sessionID }) => family.includes(sessionID))) {
    tell({ id: "", type: "question.asked", properties: asked });
  }
  const now = status[sessionId] ?? { type: "idle" };
  tell({ id: "", type: "session.status", properties: { sessionID: sessionId, status: now } });

  function tell(event: Event): void {
    transcript.read(event);
  }
}
