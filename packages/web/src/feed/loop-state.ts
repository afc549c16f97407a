import { type EphemeralEvent, fold, type LoopView, type StoredEvent } from "@ralpher/contract";
import { foldLive, type LiveEntry } from "./live.ts";
import { appendToLog, emptyLog, type Log, prependToLog, trimLog } from "./log.ts";
import { isOfKind, type LogKind } from "./log-kinds.ts";
import type { SseMessage } from "./sse.ts";

/** An unbroken stretch of the log. */
export interface Stretch {
  log: Log;
  /** It begins with the first event there is; else older ones can be asked for. */
  reachesBeginning: boolean;
}

/** Everything the page of one loop shows. Replaced, never changed. */
export interface LoopPageState extends Stretch {
  view: LoopView;
  live: LiveEntry[];
  deleted: boolean;
  /** Of what kind the log's entries are. */
  kind: LogKind;
  /** A stretch further back that the reader went to; `log` is the one that ends with the newest event. */
  away: Stretch | null;
  /** Another number whenever another place is looked at: what was scrolled to before means nothing there. */
  place: number;
  /** How many events of the log came in since the page was opened. */
  arrived: number;
}

export type Arrival = { durable: true; event: StoredEvent } | { durable: false; event: EphemeralEvent };

/** With more than this, and the reader far up, the log is cut in two: the one that is read, and the newest. */
const mostBehind = 10_000;
/** So much of the newest stays when it is cut. */
const keptOfNewest = 500;

/** Read a stream's message; a durable event gets its place in the journal from the message's id. */
export function readArrival({ seq, data }: SseMessage): Arrival {
  const event = JSON.parse(data);
  return seq === null ? { durable: false, event } : { durable: true, event: { ...event, seq } };
}

/**
 * Begin from the snapshot and the newest page of the log. The two may be of different moments: what the log knows later
 * is folded into the view, and what it knows less comes again from the stream, which begins at `streamFrom`.
 */
export function beginWith(view: LoopView, page: StoredEvent[], pageSize: number): LoopPageState {
  let folded = view;
  for (const event of page) folded = fold(folded, event) ?? folded;
  return {
    view: folded,
    log: appendToLog(emptyLog, page),
    live: [],
    reachesBeginning: page.length < pageSize,
    deleted: false,
    kind: "all",
    away: null,
    place: 0,
    arrived: 0,
  };
}

/** Where a stream has to begin, so that neither the view nor the log misses anything. */
export function streamFrom({ view, log, kind }: LoopPageState): number {
  return kind === "all" ? Math.min(view.seq, log.events.at(-1)?.seq ?? view.seq) : view.seq;
}

/** The stretch on the screen. */
export function shownStretch(state: LoopPageState): Stretch {
  return state.away ?? state;
}

/**
 * Fold a batch of arrivals, in the order they came. Durable events that the view or the log has already change nothing
 * there, so a stream may safely begin too early.
 */
export function foldArrivals(state: LoopPageState, arrivals: Arrival[]): LoopPageState {
  let { view, live, deleted } = state;
  const fresh: StoredEvent[] = [];
  for (const { durable, event } of arrivals) {
    if (durable) {
      if (isOfKind(event, state.kind)) fresh.push(event);
      if (event.seq <= view.seq) continue;
      const next = fold(view, event);
      if (next === null) deleted = true;
      else view = next;
    }
    live = foldLive(live, event);
  }
  const log = appendToLog(state.log, fresh);
  const arrived = state.arrived + log.events.length - state.log.events.length;
  const next = { ...state, view, live, deleted, log, arrived };
  if (log === state.log || log.entries.length < mostBehind || state.away !== null) return next;
  return {
    ...next,
    away: { log, reachesBeginning: state.reachesBeginning },
    log: trimLog(log, keptOfNewest),
    reachesBeginning: false,
  };
}

/** Put an older page in front of what is shown. An empty or short one means that the beginning is reached. */
export function foldOlder(state: LoopPageState, page: StoredEvent[], pageSize: number): LoopPageState {
  const { log } = shownStretch(state);
  const longer = { log: prependToLog(log, page), reachesBeginning: page.length < pageSize };
  return state.away === null ? { ...state, ...longer } : { ...state, away: longer };
}

/** Put a newer page behind the stretch further back; where it meets the newest one, the two become one. */
export function foldNewer(state: LoopPageState, page: StoredEvent[], pageSize: number): LoopPageState {
  if (state.away === null) return state;
  const { log, reachesBeginning } = state.away;
  const first = state.log.events[0]?.seq ?? Number.POSITIVE_INFINITY;
  const longer = appendToLog(
    log,
    page.filter(({ seq }) => seq < first),
  );
  if (page.length === pageSize && (page.at(-1)?.seq ?? 0) < first) {
    return { ...state, away: { log: longer, reachesBeginning } };
  }
  return { ...state, log: appendToLog(longer, state.log.events), reachesBeginning, away: null };
}

/** Show another place: the stretch of these events, or the newest one when they reach it. */
export function goTo(state: LoopPageState, older: StoredEvent[], newer: StoredEvent[], sizes: [number, number]) {
  const away: LoopPageState = {
    ...state,
    away: { log: appendToLog(emptyLog, older), reachesBeginning: older.length < sizes[0] },
    place: state.place + 1,
  };
  return foldNewer(away, newer, sizes[1]);
}

/** Show the newest again. */
export function goToNewest(state: LoopPageState): LoopPageState {
  return state.away === null ? state : { ...state, away: null, place: state.place + 1 };
}

/** Show only entries of a kind: an empty log to begin with, whose older entries are then asked for. */
export function beginKind(state: LoopPageState, kind: LogKind): LoopPageState {
  return { ...state, kind, log: emptyLog, reachesBeginning: false, away: null, place: state.place + 1 };
}

/** Forget the oldest entries of a log whose end is watched; they can be loaded again. */
export function trim(state: LoopPageState, most: number): LoopPageState {
  const log = trimLog(state.log, most);
  return log === state.log ? state : { ...state, log, reachesBeginning: false };
}
