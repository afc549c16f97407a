import type { IterationDetail } from "@ralpher/contract";
import { readIterations } from "./loop-api.ts";
import type { PageLoad } from "./loop-feed.ts";
import { Refusal } from "./refusal.ts";
import { createStore, type Store } from "./store.ts";

/** What is known of a loop's iterations: an unbroken run of them that ends with the newest. */
export interface KnownIterations {
  /** Newest first. */
  newestFirst: IterationDetail[];
  byNumber: ReadonlyMap<number, IterationDetail>;
  reachesFirst: boolean;
  /** Anything was asked for yet. */
  begun: boolean;
  load: PageLoad;
}

export interface IterationsFeed {
  state: Store<KnownIterations>;
  /** Load the page before what is known; the newest one when nothing is. */
  loadOlder(): Promise<void>;
  /** Bring what is known up to date, after something happened. Does nothing while nothing was asked for. */
  refresh(): Promise<void>;
  /** Where an iteration begins in the log; loads pages until it is known. Null when there is no such one. @throws Refusal */
  findSeq(iteration: number): Promise<number | null>;
  /** End what is being read. Asking again begins anew. */
  close(): void;
}

const pageSize = 50;
const none: KnownIterations = {
  newestFirst: [],
  byNumber: new Map(),
  reachesFirst: false,
  begun: false,
  load: "idle",
};

/** Put a page, oldest first, into what is known; a newer word about an iteration takes the older one's place. */
export function addIterations(known: KnownIterations, page: IterationDetail[]): KnownIterations {
  const byNumber = new Map(known.byNumber);
  for (const detail of page) byNumber.set(detail.iteration, detail);
  const newestFirst = [...byNumber.values()].sort((a, b) => b.iteration - a.iteration);
  return { ...known, byNumber, newestFirst, reachesFirst: known.reachesFirst || byNumber.has(1) };
}

/** The iterations of one loop in detail, read as they are asked for. */
export function openIterationsFeed(id: string): IterationsFeed {
  const state = createStore<KnownIterations>(none);
  let closing = new AbortController();
  let refreshing: Promise<void> | null = null;

  const guarded = async (work: () => Promise<void>) => {
    if (state.get().load === "loading") return;
    const { signal } = closing;
    state.set({ ...state.get(), load: "loading", begun: true });
    try {
      await work();
      state.set({ ...state.get(), load: "idle" });
    } catch (error) {
      if (!signal.aborted && !(error instanceof Refusal)) throw error;
      state.set({ ...state.get(), load: error instanceof Refusal ? error : "idle" });
    }
  };
  const readOlder = async () => {
    const before = state.get().newestFirst.at(-1)?.seq;
    const page = await readIterations(
      id,
      { limit: pageSize, ...(before === undefined ? {} : { before }) },
      closing.signal,
    );
    const added = addIterations(state.get(), page);
    state.set({ ...added, reachesFirst: added.reachesFirst || page.length < pageSize });
  };
  const readNewest = async () => {
    const newest = state.get().newestFirst[0]?.iteration ?? 0;
    const page = await readIterations(id, { limit: 5 }, closing.signal);
    const oldest = page[0]?.iteration ?? 0;
    // More than a page has happened meanwhile: begin again rather than leave a gap.
    if (oldest > newest + 1) {
      state.set({ ...none, begun: true });
      await readOlder();
    } else state.set(addIterations(state.get(), page));
  };

  return {
    state,
    async loadOlder() {
      if (!state.get().reachesFirst) await guarded(readOlder);
    },
    async refresh() {
      if (!state.get().begun || state.get().load === "loading") return;
      const { signal } = closing;
      refreshing ??= readNewest()
        // The next event tries again; what is shown stays as it is.
        .catch((error) => {
          if (!(error instanceof Refusal) && !signal.aborted) throw error;
        })
        .finally(() => {
          refreshing = null;
        });
      await refreshing;
    },
    async findSeq(iteration) {
      const { signal } = closing;
      for (;;) {
        const known = state.get();
        const found = known.byNumber.get(iteration);
        if (found !== undefined) return found.seq;
        const oldest = known.newestFirst.at(-1)?.iteration ?? Number.POSITIVE_INFINITY;
        if (known.reachesFirst || signal.aborted) return null;
        state.set({ ...known, begun: true });
        if (iteration > oldest) await readNewest();
        else await readOlder();
        if (iteration > oldest && !state.get().byNumber.has(iteration)) return null;
      }
    },
    close() {
      closing.abort();
      closing = new AbortController();
    },
  };
}
