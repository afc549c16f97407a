import type { LiveEntry } from "../../../feed/live.ts";
import type { Log, LogEntry } from "../../../feed/log.ts";

export type RowEntry = LogEntry | LiveEntry;

/** Where something stands that was seen while it was under way. */
interface Place {
  /** When it began, epoch milliseconds. */
  at: number;
  /** It stands behind the entry of this seq, */
  behind: number;
  /** and behind what began before it there. */
  turn: number;
}

/** The places of what was seen while it was under way, by key; `rowsOf` adds to it. */
export type Places = Map<string, Place>;

let turns = 0;

/**
 * The log's entries and what is under way, in the order in which things began. The journal has them in the order in
 * which they were done: a text whose tools are done before it would sink below them while it is read. What was seen
 * under way keeps its place when its durable whole comes.
 */
export function rowsOf(log: Log, live: LiveEntry[], places: Places): RowEntry[] {
  for (const entry of live) {
    const key = liveKey(entry, log);
    if (places.get(key)?.at === entry.at) continue;
    turns += 1;
    places.set(key, { at: entry.at, behind: behindOf(log, entry), turn: turns });
  }
  if (places.size === 0) return log.entries;
  const placed: { entry: RowEntry; place: Place }[] = [];
  const rest: LogEntry[] = [];
  for (const entry of log.entries) {
    const place = places.get(entry.key);
    if (place === undefined || place.behind >= entry.seq) rest.push(entry);
    else placed.push({ entry, place });
  }
  for (const entry of live) {
    const place = places.get(liveKey(entry, log));
    if (place !== undefined) placed.push({ entry, place });
  }
  placed.sort((a, b) => a.place.behind - b.place.behind || a.place.turn - b.place.turn);
  const rows: RowEntry[] = [];
  let next = 0;
  const putBehind = (seq: number) => {
    for (let one = placed[next]; one !== undefined && one.place.behind < seq; one = placed[next]) {
      rows.push(one.entry);
      next += 1;
    }
  };
  for (const entry of rest) {
    putBehind(entry.seq);
    rows.push(entry);
  }
  putBehind(Number.POSITIVE_INFINITY);
  return rows;
}

/** Is it under way? */
export function isLive(entry: RowEntry): entry is LiveEntry {
  return !("seq" in entry);
}

/** The key of a live row. One whose key is taken (a second attempt with the same ids) gets one of its own. */
export function liveKey(entry: LiveEntry, log: Log): string {
  return log.keys.has(entry.key) ? `${entry.key}:live` : entry.key;
}

/** The seq of the last entry that was there when this began; never one before its iteration's header. */
function behindOf(log: Log, { at, iteration }: LiveEntry): number {
  const before = log.entries.findLast(
    (entry) =>
      entry.at <= at || (entry.iteration === iteration && (entry.kind === "iteration" || entry.kind === "prompt")),
  );
  return before?.seq ?? 0;
}
