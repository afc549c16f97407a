import type { Database } from "bun:sqlite";
import { type DurableEvent, fold, type LoopId, type LoopView, type StoredEvent } from "@ralpher/contract";

/** So many events, or so many characters of them, are written at once; others have their turn in between. */
const batchEvents = 200;
const batchLength = 200_000;
/** The `last` of a loop that is still coming in: all its events are history so far. */
const stillComing = Number.MAX_SAFE_INTEGER;

/** Runs work in a transaction of its own, begun as a writer. */
export type Write = <T>(work: () => T) => Promise<T>;

export interface TakenIn {
  view: LoopView;
  last: StoredEvent;
  json: string;
}

/**
 * Write the events of a loop that is not here as they come. As long as there is no row in `loops`, there is no loop: they
 * are nobody's, and `complete`, in the last transaction, makes them one. When anything fails, they are removed.
 */
export async function takeIn(
  db: Database,
  write: Write,
  loopId: LoopId,
  events: AsyncIterable<DurableEvent>,
  complete: (taken: TakenIn) => void,
): Promise<TakenIn> {
  await write(() => {
    db.query("INSERT OR REPLACE INTO intakes (loop_id, last) VALUES (?, ?)").run(loopId, stillComing);
  });
  try {
    const arrival = new Arrival(db, loopId);
    for await (const event of events) {
      arrival.add(event);
      if (!arrival.isFull()) continue;
      await write(() => arrival.store());
      await new Promise((resolve) => setImmediate(resolve));
    }
    return await write(() => {
      arrival.store();
      const taken = arrival.end();
      db.query("UPDATE intakes SET last = ? WHERE loop_id = ?").run(taken.last.seq, loopId);
      complete(taken);
      return taken;
    });
  } catch (error) {
    // What cannot be removed now, on a full disk say, is removed with the next intake; why it failed matters more.
    await removeIntake(db, write, loopId).catch(() => {});
    throw error;
  }
}

/** Loops that were coming in when their process died, or are still. */
export function unfinishedIntakes(db: Database): LoopId[] {
  return db
    .query<{ id: LoopId }, [number]>("SELECT loop_id AS id FROM intakes WHERE last = ?")
    .all(stillComing)
    .map(({ id }) => id);
}

/** Remove what has come of a loop that is none yet. */
export async function removeIntake(db: Database, write: Write, loopId: LoopId): Promise<void> {
  const some = `DELETE FROM events WHERE seq IN
    (SELECT seq FROM events INDEXED BY events_of_loop WHERE loop_id = ? LIMIT ${batchEvents})`;
  while ((await write(() => db.query(some).run(loopId).changes)) > 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  await write(() => db.query("DELETE FROM intakes WHERE loop_id = ?").run(loopId));
}

class Arrival {
  readonly #db: Database;
  readonly #loopId: LoopId;
  #waiting: DurableEvent[] = [];
  #length = 0;
  #place = 0;
  /** Of those that others name. */
  readonly #seqs = new Map<number, number>();
  #view: LoopView | null = null;
  #last: { event: StoredEvent; json: string } | null = null;

  constructor(db: Database, loopId: LoopId) {
    this.#db = db;
    this.#loopId = loopId;
  }

  add(event: DurableEvent): void {
    this.#waiting.push(event);
    this.#length += lengthOf(event);
  }

  isFull(): boolean {
    return this.#waiting.length >= batchEvents || this.#length >= batchLength;
  }

  /** In a transaction, which may be tried again: nothing here changes before all of them are written. */
  store(): void {
    const insert = this.#db.query<unknown, [string, string, string]>(
      "INSERT INTO events (loop_id, type, json) VALUES (?, ?, ?)",
    );
    let place = this.#place;
    let view = this.#view;
    let last = this.#last;
    for (const unnamed of this.#waiting) {
      const event = this.#named(unnamed);
      const json = JSON.stringify(event);
      const seq = Number(insert.run(this.#loopId, event.type, json).lastInsertRowid);
      place += 1;
      if (event.type === "loop.said") this.#seqs.set(place, seq);
      last = { event: { ...event, seq }, json };
      view = fold(view, last.event);
    }
    [this.#place, this.#view, this.#last, this.#waiting, this.#length] = [place, view, last, [], 0];
  }

  end(): TakenIn {
    if (this.#view === null || this.#last === null) throw new RangeError("these events make no loop");
    return { view: this.#view, last: this.#last.event, json: this.#last.json };
  }

  /** What it names by its place among these events, it names by its place in the journal from now on. */
  #named(event: DurableEvent): DurableEvent {
    if (event.type === "loop.unsaid") return { ...event, said: this.#seqs.get(event.said) ?? event.said };
    if (event.type !== "loop.turn.start" || event.said === undefined) return event;
    return { ...event, said: event.said.flatMap((place) => this.#seqs.get(place) ?? []) };
  }
}

/** About how many characters it is; texts are what matters. */
function lengthOf(event: DurableEvent): number {
  if (event.type === "loop.tool_call") return 200 + event.tool.output.length;
  if (event.type === "loop.message") return 200 + event.message.content.length;
  return "prompt" in event ? 200 + event.prompt.length : 200;
}
