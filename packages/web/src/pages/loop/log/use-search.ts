import { useCallback, useEffect, useRef, useState } from "react";
import { searchLog } from "../../../feed/loop-api.ts";
import { Refusal } from "../../../feed/refusal.ts";
import { addHits, beginSearch, type Search, step } from "./search-state.ts";

export interface LogSearch {
  search: Search | null;
  begin: (text: string) => void;
  end: () => void;
  /** To the next older (1) or newer (-1) hit; more are looked for when there may be some. */
  step: (by: 1 | -1) => void;
}

/** Search a loop's log on the server; `onHit` is called with each hit that is gone to. */
export function useSearch(id: string, onHit: (seq: number) => void): LogSearch {
  const [search, setSearch] = useState<Search | null>(null);
  const current = useRef<Search | null>(null);
  const asking = useRef<AbortController | null>(null);
  const hit = useRef(onHit);
  hit.current = onHit;

  const set = useCallback((next: Search | null) => {
    const before = current.current;
    current.current = next;
    setSearch(next);
    const found = next?.hits[next.at];
    if (found !== undefined && found !== before?.hits[before.at]) hit.current(found.seq);
  }, []);
  const ask = useCallback(
    async (from: Search, then: (found: Search) => Search) => {
      asking.current?.abort();
      const mine = new AbortController();
      asking.current = mine;
      let found: Search = { ...from, load: "loading" };
      set(found);
      try {
        const before = found.hits.length;
        do {
          found = addHits(found, await searchLog(id, found.text, found.next ?? undefined, mine.signal));
          // One request looks only so long; with nothing found yet the search goes on by itself.
        } while (found.hits.length === before && found.next !== null);
        set(then(found));
      } catch (error) {
        if (mine.signal.aborted) return;
        if (!(error instanceof Refusal)) throw error;
        set({ ...found, load: error });
      }
    },
    [id, set],
  );
  const end = useCallback(() => {
    asking.current?.abort();
    set(null);
  }, [set]);
  useEffect(() => () => asking.current?.abort(), []);

  return {
    search,
    begin: useCallback(
      (text: string) => {
        if (text.trim() === "") end();
        else void ask(beginSearch(text), (found) => found);
      },
      [ask, end],
    ),
    end,
    step: useCallback(
      (by: 1 | -1) => {
        const now = current.current;
        if (now === null || now.load === "loading") return;
        const { search: next, more } = step(now, by);
        if (more) void ask(now, (found) => step(found, by).search);
        else set(next);
      },
      [ask, set],
    ),
  };
}
