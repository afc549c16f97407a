import type { AgentEvent, Turn, TurnResult } from "@ralpher/contract";
import { createUnfinished } from "./unfinished.ts";

/** The backend's end of a turn: events go in here, and come out of `turn` in order. */
export interface TurnWriter {
  readonly turn: Turn;
  emit(event: AgentEvent): void;
  /**
   * The turn is over. A message or tool call that is still open is closed with what there is of it, so that deltas always
   * end in a whole. What follows is ignored. Idempotent: the first result counts.
   */
  finish(result: TurnResult): void;
}

type Next = IteratorResult<AgentEvent, undefined>;

/**
 * A turn and its writer. Writing never waits: while the reader is slow, a delta joins the one before it of the same
 * message, so that a flood of them waits as one text. A reader that stops early costs nothing more.
 */
export function createTurn(): TurnWriter {
  const result = Promise.withResolvers<TurnResult>();
  const unfinished = createUnfinished();
  let waiting: AgentEvent[] = [];
  let first = 0;
  let reader: ((next: Next) => void) | null = null;
  let open = true;
  let wanted = true;

  function take(): AgentEvent | undefined {
    const event = waiting[first];
    if (event === undefined) return undefined;
    first++;
    if (first === waiting.length) {
      waiting = [];
      first = 0;
    }
    return event;
  }

  function answer(next: Next): void {
    const resolve = reader;
    reader = null;
    resolve?.(next);
  }

  const iterator: AsyncIterator<AgentEvent, undefined> = {
    next() {
      const event = take();
      if (event !== undefined) return Promise.resolve({ done: false, value: event });
      if (!open || !wanted) return Promise.resolve({ done: true, value: undefined });
      return new Promise((resolve) => {
        reader = resolve;
      });
    },
    return() {
      wanted = false;
      waiting = [];
      first = 0;
      return Promise.resolve({ done: true, value: undefined });
    },
  };

  function emit(event: AgentEvent): void {
    if (!open || !wanted) return;
    unfinished.note(event);
    if (reader !== null) {
      answer({ done: false, value: event });
      return;
    }
    const joined = join(waiting.length > first ? waiting[waiting.length - 1] : undefined, event);
    if (joined === null) waiting.push(event);
    else waiting[waiting.length - 1] = joined;
  }

  return {
    turn: { result: result.promise, [Symbol.asyncIterator]: () => iterator },
    emit,
    finish(ended) {
      if (!open) return;
      for (const event of unfinished.close()) emit(event);
      open = false;
      result.resolve(ended);
      answer({ done: true, value: undefined });
    },
  };
}

/** Two neighbouring deltas of one message as one, or null when they are not that. */
function join(last: AgentEvent | undefined, next: AgentEvent): AgentEvent | null {
  if (last?.type !== "message.delta" || next.type !== "message.delta" || last.messageId !== next.messageId) return null;
  return { ...last, delta: last.delta + next.delta };
}
