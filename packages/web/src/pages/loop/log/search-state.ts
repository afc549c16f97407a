import type { SearchHit, SearchPage } from "@ralpher/contract";
import type { Refusal } from "../../../feed/refusal.ts";

/** A search through a loop's whole log. Hits are newest first; `next` says where to go on looking, null at the end. */
export interface Search {
  text: string;
  hits: SearchHit[];
  next: number | null;
  /** Which hit is gone to; -1 before there is one. */
  at: number;
  load: "idle" | "loading" | Refusal;
}

/** A search that has found nothing yet. */
export function beginSearch(text: string): Search {
  return { text, hits: [], next: null, at: -1, load: "loading" };
}

/** What a page of hits adds. The first hit there is, is gone to. */
export function addHits(search: Search, { hits, next }: SearchPage): Search {
  const all = [...search.hits, ...hits];
  return { ...search, hits: all, next, at: search.at < 0 && all.length > 0 ? 0 : search.at, load: "idle" };
}

/**
 * Go to an older (1) or a newer (-1) hit. Past the last one found so far there may be more: then `more` is true, and
 * the place stays; where there are none, it goes round.
 */
export function step(search: Search, by: 1 | -1): { search: Search; more: boolean } {
  const { hits, at, next } = search;
  if (hits.length === 0) return { search, more: next !== null };
  const wanted = at + by;
  if (wanted >= hits.length && next !== null) return { search, more: true };
  return { search: { ...search, at: (wanted + hits.length) % hits.length }, more: false };
}

/** How the search stands, in a few words. */
export function describeSearch({ hits, next, at, load }: Search): string {
  if (load === "loading") return hits.length === 0 ? "Searching…" : `${at + 1} of ${hits.length}…`;
  if (hits.length === 0) return "Not found";
  return `${at + 1} of ${hits.length}${next === null ? "" : "+"}`;
}
