import type { StoredEvent } from "@ralpher/contract";
import type { Connection } from "./connection.ts";
import { firstLogPage } from "./first-requests.ts";
import { createFrameBatch, pauseMs } from "./frame-batch.ts";
import type { LogKind } from "./log-kinds.ts";
import { readLog, readView } from "./loop-api.ts";
import {
  type Arrival,
  beginKind,
  beginWith,
  foldArrivals,
  foldNewer,
  foldOlder,
  goTo,
  goToNewest,
  type LoopPageState,
  shownStretch,
  streamFrom,
  trim,
} from "./loop-state.ts";
import { Refusal } from "./refusal.ts";
import { createStore, type Store } from "./store.ts";
import type { TabStream } from "./tab-stream.ts";

/** How a page of the log stands that was asked for. */
export type PageLoad = "idle" | "loading" | Refusal;

export type LoopFeedState =
  | { status: "loading" }
  | { status: "refused"; refusal: Refusal }
  | { status: "ready"; page: LoopPageState; older: PageLoad; newer: PageLoad };

export interface LoopFeed {
  id: string;
  state: Store<LoopFeedState>;
  connection: Store<Connection>;
  /** Load the page of the log before what is shown. Resolves when it is in, or was refused. */
  loadOlder(): Promise<void>;
  /** Load the page after what is shown, when that is a stretch further back. */
  loadNewer(): Promise<void>;
  /** Show the log around an event; what is not there is loaded. @throws Refusal */
  showAround(seq: number): Promise<void>;
  showNewest(): void;
  /** Show only entries of a kind. */
  showKind(kind: LogKind): void;
  /** Forget the oldest entries of a log whose end is watched. */
  trim(): void;
  retry(): void;
  close(): void;
}

const retryMs = 2_000;
const logPage = 200;
/** Around an event, so many before it and so many from it on. */
const around: [number, number] = [80, 120];
const keptWhileFollowing = 2_000;

/** So many new lines a second nobody reads one by one: they come in larger batches, most of them never drawn. */
const manyLines = 30;
const pauseAfterMany = 180;

/** How long to wait after a batch, in milliseconds, by how fast lines came lately. */
function createPacer(): (arrivals: Arrival[]) => number {
  let perSecond = 0;
  let last = performance.now();
  return (arrivals) => {
    const now = performance.now();
    const seconds = Math.max(0.001, (now - last) / 1_000);
    last = now;
    const kept = Math.exp(-2 * seconds);
    const lines = arrivals.filter(({ durable }) => durable).length;
    perSecond = perSecond * kept + (lines / seconds) * (1 - kept);
    return perSecond > manyLines ? pauseAfterMany : pauseMs;
  };
}

/**
 * Follow one loop: its view and the newest page of its log, then every event after that, each folded in by the
 * contract's own fold. Nothing is ever read again because an event came.
 */
export function openLoopFeed(id: string, tab: TabStream): LoopFeed {
  const state = createStore<LoopFeedState>({ status: "loading" });
  const connection = createStore<Connection>({ state: "connecting" });
  const closing = new AbortController();
  let unfollow: (() => void) | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** After a loss: the position that counts as having caught up. */
  let target: number | null = null;

  const page = () => {
    const current = state.get();
    return current.status === "ready" ? current.page : null;
  };
  const setPage = (next: LoopPageState) => {
    const current = state.get();
    if (current.status !== "ready" || current.page === next) return;
    // What was asked for at another place is of no use here.
    const moved = current.page.place !== next.place;
    state.set({ ...current, page: next, ...(moved ? { older: "idle", newer: "idle" } : {}) });
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
  }, createPacer());
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
  // Nobody looks: what happened meanwhile, for the tab's title.
  let isAsking = false;
  const ask = async () => {
    const current = page();
    if (current === null || isAsking) return;
    isAsking = true;
    try {
      for (let after: number | undefined = streamFrom(current); after !== undefined; ) {
        const events: StoredEvent[] = await readLog(id, "all", { after, limit: logPage }, closing.signal);
        batch.push(events.map((event) => ({ durable: true, event })));
        after = events.length < logPage ? undefined : events.at(-1)?.seq;
      }
      connection.set({ state: "live" });
    } catch (error) {
      if (error instanceof Refusal) refuse(error);
      else if (!closing.signal.aborted) throw error;
    } finally {
      isAsking = false;
    }
  };
  const follow = () => {
    unfollow = tab.followLoop({
      id,
      after: () => {
        const current = page();
        return current === null ? 0 : streamFrom(current);
      },
      onOpen: () => {
        if (connection.get().state === "connecting") connection.set({ state: "live" });
        else void catchUp();
      },
      onArrivals: batch.push,
      onLost: goOffline,
      onRefused: refuse,
      onAsk: () => void ask(),
    });
  };

  const begin = async () => {
    clearTimeout(timer);
    try {
      const newest = { limit: firstLogPage, newest: true };
      const [view, log] = await Promise.all([readView(id, closing.signal), readLog(id, "all", newest, closing.signal)]);
      state.set({ status: "ready", page: beginWith(view, log, firstLogPage), older: "idle", newer: "idle" });
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

  /** Ask for a page at one side of what is shown, and fold it in unless the reader has gone elsewhere meanwhile. */
  const load = async (side: "older" | "newer", ask: (current: LoopPageState) => Promise<LoopPageState | null>) => {
    const current = state.get();
    if (current.status !== "ready" || current[side] === "loading") return;
    const { place } = current.page;
    const settle = (load: PageLoad, next: LoopPageState | null) => {
      const now = state.get();
      if (now.status !== "ready" || now.page.place !== place) return;
      state.set({ ...now, page: next ?? now.page, [side]: load });
    };
    state.set({ ...current, [side]: "loading" });
    try {
      settle("idle", await ask(current.page));
    } catch (error) {
      if (closing.signal.aborted) return;
      if (!(error instanceof Refusal)) throw error;
      settle(error, null);
    }
  };

  return {
    id,
    state,
    connection,
    async loadOlder() {
      const shown = page();
      if (shown === null || shownStretch(shown).reachesBeginning) return;
      await load("older", async (asked) => {
        const before = shownStretch(asked).log.events[0]?.seq ?? asked.view.seq + 1;
        const older = await readLog(id, asked.kind, { before, limit: logPage, newest: true }, closing.signal);
        const now = page();
        return now === null ? null : foldOlder(now, older, logPage);
      });
    },
    async loadNewer() {
      if (page()?.away == null) return;
      await load("newer", async (asked) => {
        const after = asked.away?.log.events.at(-1)?.seq ?? 0;
        const newer = await readLog(id, asked.kind, { after, limit: logPage }, closing.signal);
        const now = page();
        return now === null ? null : foldNewer(now, newer, logPage);
      });
    },
    async showAround(seq) {
      const current = page();
      const loaded = (stretch: LoopPageState["away"]) => {
        const events = stretch?.log.events;
        const first = events?.[0]?.seq ?? Number.POSITIVE_INFINITY;
        return first <= seq && (stretch === current || seq <= (events?.at(-1)?.seq ?? 0));
      };
      if (current === null || loaded(shownStretch(current))) return;
      if (loaded(current)) {
        setPage(goToNewest(current));
        return;
      }
      const { kind, place } = current;
      const [older, newer] = await Promise.all([
        readLog(id, kind, { before: seq, limit: around[0], newest: true }, closing.signal),
        readLog(id, kind, { after: seq - 1, limit: around[1] }, closing.signal),
      ]);
      const now = page();
      if (now !== null && now.place === place) setPage(goTo(now, older, newer, around));
    },
    showNewest() {
      const current = page();
      if (current !== null) setPage(goToNewest(current));
    },
    showKind(kind) {
      const current = page();
      if (current !== null && current.kind !== kind) setPage(beginKind(current, kind));
      void this.loadOlder();
    },
    trim() {
      const current = page();
      if (current !== null && current.away === null) setPage(trim(current, keptWhileFollowing));
    },
    retry() {
      if (unfollow === null) void begin();
      else tab.retry();
    },
    close() {
      closing.abort();
      clearTimeout(timer);
      batch.cancel();
      unfollow?.();
    },
  };
}
