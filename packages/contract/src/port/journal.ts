import { z } from "zod";
import type { DurableEvent, EphemeralEvent, StoredEvent } from "../event.ts";
import type { LoopView } from "../fold/view.ts";
import type { LoopId } from "../ids.ts";
import type { LoopStatus, LoopSummary } from "../loop.ts";
import type { Settings } from "../settings.ts";

/** Which loops a list shows; newest activity first. */
export interface LoopQuery {
  status?: LoopStatus[] | undefined;
  /** Part of the name or directory, without regard to case. */
  text?: string | undefined;
  /** At most this many, 1 to 1000. Default 1000. */
  limit?: number | undefined;
  offset?: number | undefined;
}

/** A stretch of the journal, oldest first. `after` and `before` are exclusive. */
export interface EventQuery {
  loopId?: LoopId | undefined;
  after?: number | undefined;
  before?: number | undefined;
  types?: StoredEvent["type"][] | undefined;
  /** At most this many. Default 1000. */
  limit?: number | undefined;
  /** Take the stretch from the newest end; the answer is still oldest first. */
  newest?: boolean | undefined;
}

export interface RawEvent {
  seq: number;
  json: string;
}

export interface SearchQuery {
  /** Without regard to case. */
  text: string;
  /** Only before this seq. */
  before?: number | undefined;
  /** At most so many hits. Default 100. */
  limit?: number | undefined;
}

export const SearchHit = z.object({
  seq: z.int().positive(),
  iteration: z.int().nonnegative(),
  type: z.string(),
  /** The text around the hit, in one line. */
  excerpt: z.string(),
  /** Where the hit is in the excerpt: start and length in UTF-16 units. */
  start: z.int().nonnegative(),
  length: z.int().positive(),
});
export type SearchHit = z.infer<typeof SearchHit>;

/** `next`: go on with `before` at this seq; null when all was looked through. */
export const SearchPage = z.object({ hits: z.array(SearchHit), next: z.int().positive().nullable() });
export type SearchPage = z.infer<typeof SearchPage>;

/** What subscribers get: a durable event with its seq, or an ephemeral one. `json` is made once for all of them. */
export type Published = { json: string } & (
  | { durable: true; event: StoredEvent }
  | { durable: false; event: EphemeralEvent }
);

/** Who holds a loop, so that two processes never run the same one. */
export interface LeaseHolder {
  owner: string;
  pid: number;
}

/**
 * The record of everything that happened. A loop's events and its folded view change in one transaction, and only then
 * are the events published. Several processes may use one journal; each sees the others' events.
 */
export interface Journal extends AsyncDisposable {
  /**
   * Decide on the loop's present view and append what comes of it, atomically: no other event of any loop gets in
   * between. `decide` must be pure; what it throws is thrown on, and nothing is written. With a lease, only while that
   * is ours: whoever lost the loop writes nothing more about it. Returns the view afterwards (null when the loop was
   * deleted). @throws Fault `loop_busy` (the lease is no longer ours), `disk_full`, `data_root_unusable`,
   * `database_corrupt`, `database_busy`
   */
  append(loopId: LoopId, decide: (view: LoopView | null) => DurableEvent[], lease?: Lease): Promise<LoopView | null>;
  /** Give an ephemeral event to those who watch now, in this process only. */
  broadcast(event: EphemeralEvent): void;
  /**
   * Take in the events of a loop that is not here, from elsewhere. There is no such loop until all of them are stored;
   * then there is, with the view folded from them. Whoever asks holds the loop's lease. Those who watch hear of the last one only, and what is read of all loops
   * leaves the others out: they are history, not news. Where an event names others (`said`), it is by their place
   * among these, from 1. When the iteration throws, nothing was done. The same faults as `append`.
   */
  takeIn(loopId: LoopId, events: AsyncIterable<DurableEvent>): Promise<LoopView>;
  /** Remove everything about a loop but the mark that it was deleted. Idempotent. */
  erase(loopId: LoopId, at: Date): Promise<void>;

  find(loopId: LoopId): Promise<LoopView | null>;
  /** The loops in one of these statuses. */
  ids(statuses: LoopStatus[]): Promise<LoopId[]>;
  /** Loops whose id begins with the prefix, at most 10. */
  findByPrefix(prefix: string): Promise<LoopId[]>;
  list(query?: LoopQuery): Promise<LoopSummary[]>;
  /** The same lines as JSON, without the work of reading them. */
  listRaw(query?: LoopQuery): Promise<string[]>;
  count(query?: LoopQuery): Promise<number>;
  read(query: EventQuery): Promise<StoredEvent[]>;
  /** The same events as stored, without the work of reading them: `json` lacks the seq. */
  readRaw(query: EventQuery): Promise<RawEvent[]>;
  /** How many events there are in a stretch of one loop, without reading them. `limit` and `newest` mean nothing here. */
  tally(query: EventQuery & { loopId: LoopId; types: StoredEvent["type"][] }): Promise<number>;
  /** Look for text that a person would read in a loop's log, newest first, without holding up the process. */
  search(loopId: LoopId, query: SearchQuery): Promise<SearchPage>;
  settings(): Promise<Settings>;
  saveSettings(settings: Settings): Promise<void>;
  /** The seq of the newest event of all, 0 when there is none. */
  latest(): Promise<number>;

  /** Called for every event in order, after it is stored. Returns the unsubscribe. The listener must not throw. */
  subscribe(listener: (published: Published) => void): () => void;

  /**
   * Take the loop for this process. Null when another living process, or another part of this one, has it. Held until
   * disposed. A holder that died loses it at once; one whose life cannot be seen from here (another container on the same
   * data folder), when it has not been heard of for a minute.
   */
  lease(loopId: LoopId): Promise<Lease | null>;
  holder(loopId: LoopId): Promise<LeaseHolder | null>;

  /** Tell the other processes on this data root that this one runs every loop that wants running. */
  announce(service: { url: string }): Promise<AsyncDisposable>;
  /** The living processes that announced themselves, this one included. */
  services(): Promise<Service[]>;
}

export interface Service {
  pid: number;
  url: string;
}

export interface Lease extends AsyncDisposable {
  /** Aborts when the lease was lost: stop working at once. */
  readonly lost: AbortSignal;
}
