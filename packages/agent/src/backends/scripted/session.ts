import {
  type AgentSession,
  isFault,
  type SessionRequest,
  type TurnOptions,
  type TurnResult,
  unknownUsage,
} from "@ralpher/contract";
import { startIdleWatch } from "../../idle-watch.ts";
import { createTurnQueue } from "../../turn-queue.ts";
import type { TurnWriter } from "../../turn-writer.ts";
import type { Play } from "./play.ts";

// A player that does not notice that it should stop is left behind after so long.
const graceMs = 3000;

/** A conversation with the player. Closing it ends the turn under way. */
export function createScriptedSession(request: SessionRequest, play: Play, onClosed: () => void): AgentSession {
  const id = crypto.randomUUID();
  const prompts: string[] = [];
  const closed = new AbortController();
  const stop = AbortSignal.any([request.signal, closed.signal]);
  const turns = createTurnQueue(request, (writer, prompt, options) => {
    prompts.push(prompt);
    return runTurn(writer, { id, prompts: [...prompts], request, options, play, stop });
  });
  return {
    turn: turns.add,
    async [Symbol.asyncDispose]() {
      closed.abort();
      await turns.settled();
      onClosed();
    },
  };
}

interface Playing {
  id: string;
  prompts: string[];
  request: SessionRequest;
  options: TurnOptions;
  play: Play;
  stop: AbortSignal;
}

async function runTurn(writer: TurnWriter, playing: Playing): Promise<void> {
  const { idleTimeoutMs } = playing.request;
  const over = new AbortController();
  const forced = Promise.withResolvers<TurnResult>();
  let cause: TurnResult | null = null;
  let grace: Timer | undefined;

  function end(reason: "aborted" | "timeout", message: string): void {
    if (cause !== null) return;
    const result = failed(reason, message);
    cause = result;
    over.abort();
    grace = setTimeout(() => forced.resolve(result), graceMs);
  }

  const abort = () => end("aborted", "The turn was ended.");
  const idle = startIdleWatch(idleTimeoutMs, () =>
    end("timeout", `The agent said nothing for ${idleTimeoutMs / 1000} s.`),
  );
  playing.stop.addEventListener("abort", abort, { once: true });
  if (playing.stop.aborted) abort();
  const result = await Promise.race([playThrough(writer, playing, over.signal, idle.touch), forced.promise]);
  writer.finish(cause ?? result);

  idle.stop();
  clearTimeout(grace);
  playing.stop.removeEventListener("abort", abort);
  over.abort();
}

/** Never throws: what the player throws is a failure. */
async function playThrough(
  writer: TurnWriter,
  { id, prompts, request, options, play }: Playing,
  signal: AbortSignal,
  touch: () => void,
): Promise<TurnResult> {
  try {
    writer.emit({ type: "session.start", session: { id } });
    const events = play({ prompt: prompts.at(-1) ?? "", prompts, sessionId: id, request, options, signal });
    for (let next = await events.next(); ; next = await events.next()) {
      if (next.done) return next.value;
      // How a tool ended by us ended is still worth telling; that the player goes on is not.
      if (signal.aborted && next.value.type !== "tool.complete") return failed("aborted", "The turn was ended.");
      touch();
      writer.emit(next.value);
    }
  } catch (error) {
    // A script that cannot be read stays so: trying again is no use.
    return failed(isFault(error) ? "missing" : "unknown", error instanceof Error ? error.message : String(error));
  }
}

function failed(reason: "aborted" | "timeout" | "missing" | "unknown", message: string): TurnResult {
  return { outcome: "failed", failure: { reason, message }, usage: unknownUsage };
}
