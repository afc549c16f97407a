import { parseRefusal, type Refusal, unreachableRefusal } from "./refusal.ts";
import { noteStatus } from "./session.ts";
import { createSseParser, type SseMessage } from "./sse.ts";

/** The heartbeat comes every 15 s; after three missed ones the line counts as dead, however open it looks. */
const silenceMs = 50_000;
const firstRetryMs = 400;
const longestRetryMs = 5_000;

export interface StreamHooks {
  /** Where to read from; asked anew on every (re)connect, so that it can carry the last position. */
  url: () => string;
  onOpen: () => void;
  onMessages: (messages: SseMessage[]) => void;
  /** The line is gone; another attempt follows by itself. Called once per loss, not per failed attempt. */
  onLost: (refusal: Refusal) => void;
  /** The server said no in a way that trying again does not change; only `retry` or `restart` does. */
  onRefused: (refusal: Refusal) => void;
}

export interface Stream {
  readonly isUp: boolean;
  /** Connect anew at once, because the address changed. No loss is told. Does nothing while it pauses. */
  restart(): void;
  /** Do not wait for the next attempt: try now. Does nothing while the line is up. */
  retry(): void;
  /** Let go of the line until `resume`; `onOpen` tells when it is back. */
  pause(): void;
  resume(): void;
}

/**
 * Make a server-sent event stream that comes back by itself after every loss; it begins with `restart`. Read with fetch and
 * not EventSource, which hides the heartbeat, so that a line cut without a goodbye (a laptop that slept) is noticed.
 */
export function createStream(hooks: StreamHooks): Stream {
  let attempt = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let up = false;
  let paused = false;

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
        noteStatus(response.status);
        const refusal = parseRefusal(response.status, await response.text());
        if (mine === attempt && !paused) hooks.onRefused(refusal);
        return;
      }
      if (!response.ok || response.body === null) throw new Error(`status ${response.status}`);
      mine.signal.throwIfAborted();
      up = true;
      failures = 0;
      hooks.onOpen();
      const parser = createSseParser();
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done || mine.signal.aborted) break;
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
    if (!paused && mine === attempt) lose();
  };

  const restart = () => {
    if (paused) return;
    up = false;
    attempt.abort();
    void connect();
  };
  const retry = () => {
    if (!up) restart();
  };
  window.addEventListener("online", retry);

  return {
    get isUp() {
      return up;
    },
    restart,
    retry,
    pause() {
      paused = true;
      up = false;
      clearTimeout(timer);
      attempt.abort();
    },
    resume() {
      paused = false;
      retry();
    },
  };
}
