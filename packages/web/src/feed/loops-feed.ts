import type { LoopSummary } from "@ralpher/contract";
import { readLoops } from "./api.ts";
import type { Connection } from "./connection.ts";
import { createFrameBatch } from "./frame-batch.ts";
import { foldLines, type LineArrival, type LoopsState, noLoops, takeList, takePage } from "./loops-state.ts";
import { Refusal } from "./refusal.ts";
import { createStore, type Store } from "./store.ts";
import type { TabStream } from "./tab-stream.ts";

/** More lines than this are not for a screen; the filter of the server finds the rest. */
const mostLines = 2_000;

export type LoopsFeedState = LoopsState & {
  status: "loading" | "ready" | "refused";
  refusal: Refusal | null;
  /** How many loops there are; more than `loops` holds when the server cut the list. */
  total: number;
};

export interface LoopsFeed {
  state: Store<LoopsFeedState>;
  connection: Store<Connection>;
  retry(): void;
}

/**
 * Follow the lines of all loops. The list is read when the stream stands, so that nothing falls between the two; after
 * a loss it is read once again, because the lines themselves are not kept by the server. A tab that nobody looks at
 * asks for it now and then.
 */
export function openLoopsFeed(tab: TabStream): LoopsFeed {
  const state = createStore<LoopsFeedState>({ ...noLoops, status: "loading", refusal: null, total: 0 });
  const connection = createStore<Connection>({ state: "connecting" });

  const batch = createFrameBatch<LineArrival>((arrivals) => {
    const before = state.get();
    const folded = foldLines(before, arrivals);
    state.set({ ...before, ...folded, total: Math.max(0, before.total + folded.loops.size - before.loops.size) });
  });

  // What begins a reading anew ends the one before it: that one must not go on.
  let reading = new AbortController();
  /** `only`: "newest" is enough after a moment; the rest is read only when loops are missing, or too many. */
  const readList = async (only: "newest" | "all") => {
    reading.abort();
    reading = new AbortController();
    const { signal } = reading;
    const all: LoopSummary[] = [];
    try {
      for (let offset: number | null = 0; offset !== null; ) {
        const page = await readLoops(offset, signal);
        if (signal.aborted) return;
        all.push(...page.loops);
        offset = all.length < mostLines ? page.next : null;
        const before = state.get();
        const paged = takePage(before, page.loops);
        const isEnough = only === "newest" && (paged.loops.size === page.total || page.total > mostLines);
        if (isEnough) offset = null;
        const lines = offset === null && !isEnough ? takeList(before, all) : paged;
        state.set({ ...before, ...lines, status: "ready", refusal: null, total: page.total });
      }
      connection.set({ state: "live" });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Refusal) refuse(error);
      else throw error;
    }
  };
  // What is on the screen stays; a refusal is all there is to show only while there is nothing else.
  const refuse = (refusal: Refusal) => {
    if (state.get().status !== "ready") state.set({ ...state.get(), status: "refused", refusal });
    if (connection.get().state !== "offline") connection.set({ state: "offline", since: Date.now() });
  };

  tab.followLines({
    onOpen: (gap) => {
      const { state: known } = connection.get();
      if (gap === "brief" && known === "live") void readList("newest");
      else {
        if (known !== "connecting") connection.set({ state: "catching-up" });
        void readList("all");
      }
    },
    onArrivals: (arrivals) => batch.push(arrivals),
    onLost: refuse,
    onRefused: refuse,
    onAsk: () => void readList(state.get().status === "ready" ? "newest" : "all"),
  });

  return {
    state,
    connection,
    retry() {
      if (tab.isUp) void readList("all");
      else tab.retry();
    },
  };
}
