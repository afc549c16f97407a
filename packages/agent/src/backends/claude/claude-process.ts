import type { Query, SDKMessage, SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import type { TurnFailure } from "@ralpher/contract";
import { drain } from "../../last-lines.ts";
import type { Guarded } from "../../process/guard.ts";
import { Unusable } from "../../unusable.ts";
import { within } from "../../within.ts";
import { type Installation, requireExecutable } from "./executable.ts";
import { spawnGuarded } from "./guarded-spawn.ts";
import { createPrompts } from "./prompts.ts";
import { createQueryOptions, type Purpose } from "./query-options.ts";

const messageLimit = 2000;
// Claude Code ends in some fifty milliseconds when its input does, and longer when the user has hooks for that.
const closeTimeoutMs = 2000;
// The guard clears away what a program leaves behind before it tells that the program has ended.
const exitTimeoutMs = 5000;

/** A process of Claude Code, that holds one session. */
export interface ClaudeProcess {
  /** Aborts when the process is over, with the `TurnFailure` it means for a turn under way. */
  readonly ended: AbortSignal;
  /** Has it begun with its work? */
  isUp(): boolean;
  /** Hear what it says from now on, instead of whoever did so before. Returns how to stop that. */
  listen(hear: (message: SDKMessage) => void): () => void;
  /** Send a prompt; `id` is told with its result. */
  send(prompt: string, id: NonNullable<SDKUserMessage["uuid"]>): void;
  /** Stop what is under way; a result follows. May never resolve. */
  interrupt(): Promise<unknown>;
  /** End it when it rests. Resolves with whether it could put its affairs in order. */
  close(): Promise<boolean>;
  /** End it and everything it started, now. Idempotent. */
  end(): Promise<void>;
}

/** Which conversation a process holds: a new one with this id, or what there is of it, up to a message. */
export type Place = { sessionId: string } | { resume: string; resumeSessionAt?: string };

/**
 * Start Claude Code. It cannot outlive this process.
 * @throws Unusable
 */
export async function startClaudeProcess(
  installation: Installation,
  purpose: Purpose,
  place: Place,
): Promise<ClaudeProcess> {
  const path = requireExecutable(installation);
  // It takes a tenth of a second to load, which whoever uses no Claude Code need not wait for.
  const { query } = await import("@anthropic-ai/claude-agent-sdk");
  const prompts = createPrompts();
  let guarded: Guarded | null = null;
  try {
    const talk = query({
      prompt: prompts,
      options: {
        ...createQueryOptions(purpose, installation.env),
        ...place,
        pathToClaudeCodeExecutable: path,
        spawnClaudeCodeProcess(options) {
          const started = spawnGuarded(options);
          guarded = started.guarded;
          return started.spawned;
        },
      },
    });
    if (guarded === null) throw new Error("the SDK started no process");
    return createProcess(talk, guarded, prompts);
  } catch (cause) {
    const message = `Claude Code could not be started in ${purpose.request.directory}: ${wordsOf(cause)}`;
    throw new Unusable({ reason: "crashed", message }, { cause });
  }
}

function createProcess(talk: Query, guarded: Guarded, prompts: ReturnType<typeof createPrompts>): ClaudeProcess {
  const ended = new AbortController();
  const lastWords = drain(guarded.stderr);
  let isUp = false;
  let listener: ((message: SDKMessage) => void) | null = null;

  async function read(): Promise<void> {
    let trouble: unknown;
    try {
      for await (const message of talk) {
        isUp ||= message.type === "system" && message.subtype === "init";
        listener?.(message);
      }
    } catch (error) {
      // After an error result the SDK throws that same error once more.
      trouble = error;
    }
    const code = await within(guarded.exited, exitTimeoutMs);
    await guarded.end();
    ended.abort(failureOfEnd(code, trouble, lastWords.text()));
  }
  const over = read();

  return {
    ended: ended.signal,
    isUp: () => isUp,
    listen(hear) {
      listener = hear;
      return () => {
        if (listener === hear) listener = null;
      };
    },
    send: prompts.send,
    interrupt: () => talk.interrupt(),
    async close() {
      prompts.close();
      const code = await within(guarded.exited, closeTimeoutMs);
      await guarded.end();
      await over;
      // After a turn that failed the code is not 0.
      return code !== undefined;
    },
    async end() {
      prompts.close();
      await guarded.end();
      await over;
    },
  };
}

/** Without a code it lives, but the SDK has given it up. */
function failureOfEnd(code: number | undefined, trouble: unknown, lastWords: string): TurnFailure {
  const what = code === undefined ? `cannot be understood: ${wordsOf(trouble)}` : `ended (exit code ${code}).`;
  return {
    reason: code === undefined ? "protocol" : "crashed",
    message: `Claude Code ${what} ${lastWords}`.trim().slice(0, messageLimit),
  };
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
