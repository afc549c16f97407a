import type { TurnFailure } from "@ralpher/contract";
import { reasonOfWords } from "./failure.ts";
import type { Sign } from "./sign.ts";

/**
 * opencode tries again by itself, five times and for a minute or more, and says nothing of it in the protocol, nor of what
 * its subagents do and ask for. It does in its log, which it writes to standard error when it is asked to. Where a version
 * writes other lines, nothing is known of that, and all else is as before.
 */
export const allLogs = { OPENCODE_PRINT_LOGS: "1", OPENCODE_LOG_LEVEL: "INFO" };

// Not every failed try is logged as one: of an answer that was cut off only the next try shows.
const unexplained: TurnFailure = { reason: "connection", message: "The model's answer broke off." };

/** Reads the lines of a turn, which began at `since` (milliseconds since the epoch). */
export function createOpencodeLog(sessionId: string, since: number): { read(line: string): Sign[] } {
  let tries = 0;
  let trouble: TurnFailure | null = null;
  return {
    read(line) {
      if (!line.startsWith("timestamp=")) return [];
      const { timestamp = "", level, message, "session.id": session, small, permission, ...fields } = parseLine(line);
      const error = fields["error.error"];
      // Standard error may come later than the answer to the prompt: lines of the former turn are none of ours.
      if (Date.parse(timestamp) < since) return [];
      if (message === "asking") return [{ kind: "asking", what: permission ?? "something" }];
      // The process has no sessions but this and those of its subagents.
      if (session !== sessionId) return session === undefined ? [] : [{ kind: "life" }];
      if (message === "process" && level === "INFO") {
        tries = 0;
        trouble = null;
        return [{ kind: "answer" }];
      }
      // The small model makes titles.
      if (small !== "false") return [];
      if (message === "stream error" && error !== undefined) {
        const said = error.replace(/^\w+Error: /, "");
        trouble = { reason: reasonOfWords(said), message: said };
        return [{ kind: "failed", failure: trouble }];
      }
      if (message !== "stream" || ++tries === 1) return [];
      const failure = trouble ?? unexplained;
      trouble = null;
      return [{ kind: "retry", failure }];
    },
  };
}

/** The fields of a line such as `level=INFO message="stream error"`. */
function parseLine(line: string): Record<string, string> {
  const fields = line.matchAll(/([\w.]+)=("(?:[^"\\]|\\.)*"|\S*)/g);
  return Object.fromEntries([...fields].map(([, name = "", value = ""]) => [name, unquote(value)]));
}

function unquote(value: string): string {
  if (!value.startsWith('"')) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return value;
  }
}
