import { parseRefusal, type Refusal, unreachableRefusal } from "./refusal.ts";
import { noteStatus } from "./session.ts";
import { createSseParser, type SseMessage } from "./sse.ts";

/** The heartbeat comes every 15 s; after three missed ones the line counts as dead, however open it looks. */
const silenceMs = 50_000;
const firstRetryMs = 400;
const longestRetryMs = 5_000;
/** A page that nobody looks at lets its stream go after so long, when it may: browsers allow six to a server. */
const parkMs = 30_000;

export interface StreamHooks {
  /** Where to read from; asked anew on every (re)connect, so that it can carry the last position. */
  url: () => string;
  onOpen: () => void;
  onMessages: (messages: SseMessage[]) => void;
  /** The line is gone; another attempt follows by itself. Called once per loss, not per failed attempt. */
  onLost: (refusal: Refusal) => void;
  /** The server said no in a way that trying again does not change. The stream is over. */
  onRefused: (refusal: Refusal) => void;
  /** Let go of the line while the page is hidden; `onOpen` tells when it is back. */
  parkWhenHidden?: boolean;
}

export interface Stream {
  /** Do not wait for the next attempt: try now. Does nothing while the line is up. */
  retry(): void;
  close(): void;
}

/**
 * Open a server-sent event stream that comes back by itself after every loss. Read with fetch and not EventSource,
 * which hides the heartbeat, so that a line cut without a goodbye (a laptop that slept) is noticed.
 */
export function openStream(hooks: StreamHooks): Stream {
  let attempt = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let closed = false;
  let up = false;
  let parked = false;
  let parking: ReturnType<typeof setTimeout> | undefined;

  const lose = () => {
    if (up || failures === 0) hooks.onLost(unreachableRefusal());
    up = false;
    failures += 1;
    const wait = Math.min(longestRetryMs, firstRetryMs * 2 ** (failures - 1));
    timer = setTimeout(connect, wait * (0.75 + Math.random() / 2));
  };

  const connect = async () => {
    clearTimeout(timer);
    attempt = new AbortController();
    const mine = attempt;
    let watchdog = setTimeout(() => mine.abort(), silenceMs);
    try {
      const response = await fetch(hooks.url(), { signal: mine.signal, headers: { accept: "text/event-stream" } });
      // 5xx is a server that starts or ends; anything else of 400 and more stays as it is.
      if (response.status >= 400 && response.status < 500) {
        closed = true;
        noteStatus(response.status);
        hooks.onRefused(parseRefusal(response.status, await response.text()));
        return;
      }
      if (!response.ok || response.body === null) throw new Error(`status ${response.status}`);
      up = true;
      failures = 0;
      hooks.onOpen();
      const parser = createSseParser();
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done || closed) break;
        clearTimeout(watchdog);
        watchdog = setTimeout(() => mine.abort(), silenceMs);
        const messages = parser(value);
        if (messages.length > 0) hooks.onMessages(messages);
      }
    } catch {
      // Every way to lose the line leads to the same place: below.
    } finally {
      clearTimeout(watchdog);
    }
    if (parked) up = false;
    else if (!closed && mine === attempt) lose();
  };

  const retry = () => {
    if (closed || up || parked) return;
    attempt.abort();
    clearTimeout(timer);
    void connect();
  };
  const look = () => {
    clearTimeout(parking);
    if (!document.hidden) {
      parked = false;
      retry();
    } else if (hooks.parkWhenHidden === true) {
      parking = setTimeout(() => {
        parked = true;
        clearTimeout(timer);
        attempt.abort();
      }, parkMs);
    }
  };
  window.addEventListener("online", retry);
  document.addEventListener("visibilitychange", look);
  void connect();

  return {
    retry,
    close() {
      closed = true;
      clearTimeout(timer);
      clearTimeout(parking);
      attempt.abort();
      window.removeEventListener("online", retry);
      document.removeEventListener("visibilitychange", look);
    },
  };
}
