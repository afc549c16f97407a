import type { LoopSummary } from "@ralpher/contract";
import { readLoops } from "./api.ts";
import type { Connection } from "./connection.ts";
import { createFrameBatch } from "./frame-batch.ts";
import { foldLines, type LineArrival, type LoopsState, noLoops, takeList, takePage } from "./loops-state.ts";
import { Refusal } from "./refusal.ts";
import { createStore, type Store } from "./store.ts";
import { openStream } from "./stream.ts";

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
  close(): void;
}

/**
 * Follow the lines of all loops. The list is read when the stream stands, so that nothing falls between the two; after
 * a loss it is read once again, because the lines themselves are not kept by the server.
 */
export function openLoopsFeed(): LoopsFeed {
  const state = createStore<LoopsFeedState>({ ...noLoops, status: "loading", refusal: null, total: 0 });
  const connection = createStore<Connection>({ state: "connecting" });
  const closing = new AbortController();

  const batch = createFrameBatch<LineArrival>((arrivals) => {
    const before = state.get();
    const folded = foldLines(before, arrivals);
    state.set({ ...before, ...folded, total: Math.max(0, before.total + folded.loops.size - before.loops.size) });
  });

  // A loss during a reading begins it again; then the older reading must not go on.
  let reading = 0;
  const readList = async () => {
    reading += 1;
    const mine = reading;
    const all: LoopSummary[] = [];
    try {
      for (let offset: number | null = 0; offset !== null; ) {
        const page = await readLoops(offset, closing.signal);
        if (mine !== reading) return;
        all.push(...page.loops);
        offset = all.length < mostLines ? page.next : null;
        const before = state.get();
        const lines = offset === null ? takeList(before, all) : takePage(before, page.loops);
        state.set({ ...before, ...lines, status: "ready", refusal: null, total: page.total });
      }
      connection.set({ state: "live" });
    } catch (error) {
      if (mine !== reading) return;
      if (closing.signal.aborted) return;
      if (error instanceof Refusal) refuse(error);
      else throw error;
    }
  };
  // What is on the screen stays; a refusal is all there is to show only while there is nothing else.
  const refuse = (refusal: Refusal) => {
    if (state.get().status !== "ready") state.set({ ...state.get(), status: "refused", refusal });
    if (connection.get().state !== "offline") connection.set({ state: "offline", since: Date.now() });
  };

  const open = () =>
    openStream({
      url: () => "/api/events?types=loop.summary,loop.deleted,loop.tool_call.start",
      onOpen: () => {
        if (connection.get().state !== "connecting") connection.set({ state: "catching-up" });
        void readList();
      },
      onMessages: (messages) => batch.push(messages.map((message) => JSON.parse(message.data) as LineArrival)),
      onLost: (refusal) => refuse(refusal),
      onRefused: refuse,
    });
  let stream = open();

  return {
    state,
    connection,
    retry() {
      stream.close();
      stream = open();
    },
    close() {
      closing.abort();
      batch.cancel();
      stream.close();
    },
  };
}
