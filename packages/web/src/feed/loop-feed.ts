import { logPage, readLogBefore, readView } from "./api.ts";
import type { Connection } from "./connection.ts";
import { createFrameBatch } from "./frame-batch.ts";
import { type Arrival, beginWith, foldArrivals, foldOlder, type LoopPageState, readArrival } from "./loop-state.ts";
import { Refusal } from "./refusal.ts";
import { createStore, type Store } from "./store.ts";
import { openStream, type Stream } from "./stream.ts";

export type LoopFeedState =
  | { status: "loading" }
  | { status: "refused"; refusal: Refusal }
  | { status: "ready"; page: LoopPageState; older: "idle" | "loading" | Refusal };

export interface LoopFeed {
  state: Store<LoopFeedState>;
  connection: Store<Connection>;
  /** Load the page of the log before what is there; `limit` events at most. Resolves when it is in, or was refused. */
  loadOlder(limit?: number): Promise<void>;
  retry(): void;
  close(): void;
}

const retryMs = 2_000;

/**
 * Follow one loop: its view and the newest page of its log as of the same moment, then every event after that, each
 * folded in by the contract's own fold. Nothing is ever read again because an event came.
 */
export function openLoopFeed(id: string): LoopFeed {
  const state = createStore<LoopFeedState>({ status: "loading" });
  const connection = createStore<Connection>({ state: "connecting" });
  const closing = new AbortController();
  let stream: Stream | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** After a loss: the position that counts as having caught up. */
  let target: number | null = null;

  const page = () => {
    const current = state.get();
    return current.status === "ready" ? current.page : null;
  };
  const setPage = (next: LoopPageState) => {
    const current = state.get();
    if (current.status === "ready") state.set({ ...current, page: next });
  };
  const goLiveWhenCaughtUp = () => {
    const current = page();
    if (target !== null && current !== null && (current.view.seq >= target || current.deleted)) {
      target = null;
      connection.set({ state: "live" });
    }
  };
  const batch = createFrameBatch<Arrival>((arrivals) => {
    const current = page();
    if (current !== null) setPage(foldArrivals(current, arrivals));
    goLiveWhenCaughtUp();
  });
  const goOffline = () => {
    target = null;
    if (connection.get().state !== "offline") connection.set({ state: "offline", since: Date.now() });
  };
  const refuse = (refusal: Refusal) => {
    const current = page();
    if (current === null) state.set({ status: "refused", refusal });
    else if (refusal.status === 404) setPage({ ...current, deleted: true });
    // A loop that is not there has nothing to be late with.
    if (refusal.status === 404) connection.set({ state: "live" });
    else goOffline();
  };

  const catchUp = async () => {
    connection.set({ state: "catching-up" });
    try {
      target = (await readView(id, closing.signal)).seq;
      goLiveWhenCaughtUp();
    } catch (error) {
      if (error instanceof Refusal) refuse(error);
      else if (!closing.signal.aborted) throw error;
    }
  };
  const follow = () => {
    stream = openStream({
      parkWhenHidden: true,
      url: () => `/api/loops/${id}/events?after=${page()?.view.seq ?? 0}`,
      onOpen: () => {
        if (connection.get().state === "connecting") connection.set({ state: "live" });
        else void catchUp();
      },
      onMessages: (messages) => batch.push(messages.map(readArrival)),
      onLost: goOffline,
      onRefused: refuse,
    });
  };

  const begin = async () => {
    clearTimeout(timer);
    try {
      const view = await readView(id, closing.signal);
      const newest = await readLogBefore(id, view.seq + 1, logPage, closing.signal);
      state.set({ status: "ready", page: beginWith(view, newest, logPage), older: "idle" });
      connection.set({ state: "connecting" });
      follow();
    } catch (error) {
      if (closing.signal.aborted) return;
      if (!(error instanceof Refusal)) throw error;
      refuse(error);
      if (error.status === 0) timer = setTimeout(begin, retryMs);
    }
  };
  void begin();

  return {
    state,
    connection,
    async loadOlder(limit = logPage) {
      const current = state.get();
      if (current.status !== "ready" || current.older === "loading" || current.page.reachesBeginning) return;
      state.set({ ...current, older: "loading" });
      const before = current.page.log.events[0]?.seq ?? current.page.view.seq + 1;
      try {
        const older = await readLogBefore(id, before, limit, closing.signal);
        const now = page();
        if (now !== null) state.set({ status: "ready", page: foldOlder(now, older, limit), older: "idle" });
      } catch (error) {
        if (closing.signal.aborted) return;
        if (!(error instanceof Refusal)) throw error;
        const now = page();
        if (now !== null) state.set({ status: "ready", page: now, older: error });
      }
    },
    retry() {
      if (stream === null) void begin();
      else stream.retry();
    },
    close() {
      closing.abort();
      clearTimeout(timer);
      batch.cancel();
      stream?.close();
    },
  };
}
