import type { PermissionRequest } from "@opencode-ai/sdk/v2/client";
import type { SessionRequest } from "@ralpher/contract";
import { refusalOf } from "../../tools/judge.ts";
import type { OpencodeServer } from "./server.ts";
import { readWantedCall } from "./wanted-call.ts";

/** Answers what opencode asks of people, in a session and its subagents', for nobody is there. */
export interface Gatekeeper {
  /** A tool wants to do something. `root` as for `readWantedCall`. */
  permission(request: PermissionRequest, root: string): void;
  question(requestID: string): void;
}

// opencode's question whether an agent that calls the same tool again and again should go on.
const repetition = "doom_loop";

/** An answer that does not arrive leaves the agent silent, which has its limit. */
export function createGatekeeper(
  { client }: OpencodeServer,
  { directory, tools }: Pick<SessionRequest, "directory" | "tools">,
): Gatekeeper {
  return {
    permission(asked, root) {
      const refusal = asked.permission === repetition ? null : refusalOf(tools, directory, readWantedCall(asked, root));
      // Only this once: "always" would be remembered for the user's own sessions. A refusal without words ends the turn.
      const reply = refusal === null ? { reply: "once" as const } : { reply: "reject" as const, message: refusal };
      client.permission.reply({ requestID: asked.id, directory, ...reply }).catch(() => {});
    },
    question(requestID) {
      client.question.reject({ requestID, directory }).catch(() => {});
    },
  };
}
