import { type EphemeralEvent, fold, type LoopView, type StoredEvent } from "@ralpher/contract";
import { foldLive, type LiveEntry } from "./live.ts";
import { appendToLog, emptyLog, type Log, prependToLog } from "./log.ts";
import type { SseMessage } from "./sse.ts";

/** Everything the page of one loop shows. Replaced, never changed. */
export interface LoopPageState {
  view: LoopView;
  log: Log;
  live: LiveEntry[];
  /** The log begins with the first event there is; else older ones can be asked for. */
  reachesBeginning: boolean;
  deleted: boolean;
}

export type Arrival = { durable: true; event: StoredEvent } | { durable: false; event: EphemeralEvent };

/** Read a stream's message; a durable event gets its place in the journal from the message's id. */
export function readArrival({ seq, data }: SseMessage): Arrival {
  const event = JSON.parse(data);
  return seq === null ? { durable: false, event } : { durable: true, event: { ...event, seq } };
}

/** Begin from the snapshot and the newest page of its log, which ends with the snapshot. */
export function beginWith(view: LoopView, page: StoredEvent[], pageSize: number): LoopPageState {
  return {
    view,
    log: appendToLog(emptyLog, page),
    live: [],
    reachesBeginning: page.length < pageSize,
    deleted: false,
  };
}

/**
 * Fold a batch of arrivals, in the order they came. Durable events at or before the view's place were seen already and
 * change nothing, so a stream may safely begin too early.
 */
export function foldArrivals(state: LoopPageState, arrivals: Arrival[]): LoopPageState {
  let { view, live, deleted } = state;
  const fresh: StoredEvent[] = [];
  for (const { durable, event } of arrivals) {
    if (durable) {
      if (event.seq <= view.seq) continue;
      const next = fold(view, event);
      if (next === null) deleted = true;
      else view = next;
      fresh.push(event);
    }
    live = foldLive(live, event);
  }
  const log = appendToLog(state.log, fresh);
  return { ...state, view, live, deleted, log };
}

/** Put an older page in front of the log. An empty or short one means that the beginning is reached. */
export function foldOlder(state: LoopPageState, page: StoredEvent[], pageSize: number): LoopPageState {
  return { ...state, log: prependToLog(state.log, page), reachesBeginning: page.length < pageSize };
}
