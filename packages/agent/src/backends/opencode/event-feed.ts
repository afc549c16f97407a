import type { Event, GlobalEvent, OpencodeClient } from "@opencode-ai/sdk/v2/client";
import pRetry from "p-retry";
import { createEndableFetch } from "./endable-fetch.ts";

/** Who wants to know what happens in a session and in the subagents' sessions below it. */
export interface FeedListener {
  event(event: Event): void;
  /** Events may have been missed; the stream goes on from here. */
  gap(): void;
  /** An event could not be read. */
  unreadable(error: unknown): void;
}

/** The one event stream of a server, given to each session its own. Whoever opened it closes it. */
export interface EventFeed {
  /** Hear of a session from now on. Returns the end of it. */
  listen(sessionId: string, listener: FeedListener): () => void;
  /** Hear of a subagent's session, too. Its creation tells of it, unless that was missed. */
  adopt(childId: string, sessionId: string): void;
  close(): void;
}

const openTimeoutMs = 15_000;

/**
 * Open the event stream of a server. When it breaks it is opened anew, and listeners hear of the gap; when that does not
 * work for some seconds, `onLost` is told.
 * @throws what the stream's connection failed with
 */
export async function openEventFeed(client: OpencodeClient, onLost: (detail: string) => void): Promise<EventFeed> {
  const listeners = new Map<string, FeedListener>();
  let closed = false;
  let endStream = () => {};

  function route(event: GlobalEvent): void {
    // Unknown types are for listeners to ignore.
    const payload = event.payload as Event;
    const sessionId = sessionOf(payload);
    if (sessionId === undefined) return;
    if (payload.type === "session.created" && payload.properties.info.parentID !== undefined) {
      adopt(sessionId, payload.properties.info.parentID);
    }
    const listener = listeners.get(sessionId);
    try {
      listener?.event(payload);
    } catch (error) {
      listener?.unreadable(error);
    }
  }

  function adopt(childId: string, sessionId: string): void {
    const listener = listeners.get(sessionId);
    if (listener !== undefined) listeners.set(childId, listener);
  }

  /** Resolves with the rest of the stream as soon as its first event is there: from then on nothing is missed. */
  async function connect(): Promise<AsyncIterator<GlobalEvent>> {
    const endable = createEndableFetch();
    endStream = endable.end;
    let failure: unknown = "the event stream ended at once";
    const { stream } = await client.global.event({
      fetch: endable.fetch,
      sseMaxRetryAttempts: 1,
      onSseError: (error) => {
        failure = error;
      },
    });
    const events = stream[Symbol.asyncIterator]() as AsyncIterator<GlobalEvent>;
    const timer = setTimeout(() => endable.end(), openTimeoutMs);
    const first = await events.next();
    clearTimeout(timer);
    // An error of our own, for p-retry takes a TypeError, which a refused connection may be, for a bug.
    if (first.done) throw new Error(failure instanceof Error ? failure.message : String(failure), { cause: failure });
    route(first.value);
    return events;
  }

  async function pump(first: AsyncIterator<GlobalEvent>): Promise<void> {
    for (let events = first; !closed; ) {
      for (let next = await events.next(); !next.done; next = await events.next()) route(next.value);
      if (closed) return;
      events = await pRetry(connect, { retries: 5, minTimeout: 200, shouldRetry: () => !closed });
      for (const listener of new Set(listeners.values())) listener.gap();
    }
  }

  pump(await connect()).catch((error: unknown) => {
    if (closed) return;
    closed = true;
    onLost(error instanceof Error ? error.message : String(error));
  });

  return {
    listen(sessionId, listener) {
      listeners.set(sessionId, listener);
      return () => {
        for (const [id, other] of listeners) if (other === listener) listeners.delete(id);
      };
    },
    adopt,
    close() {
      closed = true;
      endStream();
    },
  };
}

function sessionOf(event: Event): string | undefined {
  // Not every event is a session's, and some carry nothing at all.
  const properties: Record<string, unknown> | undefined = event.properties;
  return typeof properties?.sessionID === "string" ? properties.sessionID : undefined;
}
