import type { Database } from "bun:sqlite";
import type { EphemeralEvent, Published, StoredEvent } from "@ralpher/contract";
import { isNews } from "./event-rows.ts";

/** How often to look whether another process wrote. A look costs microseconds: SQLite keeps a counter for it. */
const lookEveryMs = 100;

/** Gives stored events, ours and other processes', to this process's subscribers, each once and in order. */
export class Publisher {
  readonly #db: Database;
  readonly #listeners = new Set<(published: Published) => void>();
  readonly #timer: ReturnType<typeof setInterval>;
  #seen: number;
  #version: number;

  constructor(db: Database, seen: number) {
    this.#db = db;
    this.#seen = seen;
    this.#version = this.#dataVersion();
    this.#timer = setInterval(() => this.#look(), lookEveryMs);
    this.#timer.unref?.();
  }

  subscribe(listener: (published: Published) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Events of ours, just committed. If others committed in between, theirs go out first. */
  stored(events: { event: StoredEvent; json: string }[]): void {
    const first = events[0];
    if (first === undefined) return;
    if (first.event.seq !== this.#seen + 1) {
      this.#catchUp();
      return;
    }
    for (const { event, json } of events) {
      if (event.seq <= this.#seen) continue; // a listener appended, and that published these as well
      this.#seen = event.seq;
      this.#give({ durable: true, event, json });
    }
  }

  broadcast(event: EphemeralEvent): void {
    if (this.#listeners.size > 0) this.#give({ durable: false, event, json: JSON.stringify(event) });
  }

  close(): void {
    clearInterval(this.#timer);
    this.#listeners.clear();
  }

  #give(published: Published): void {
    for (const listener of this.#listeners) listener(published);
  }

  #look(): void {
    try {
      const version = this.#dataVersion();
      if (version === this.#version) return;
      this.#version = version;
      this.#catchUp();
    } catch {
      // The database is not readable for the moment; whoever writes next will hear of it as a fault.
    }
  }

  #catchUp(): void {
    const newest = this.#db.query<{ seq: number }, []>("SELECT seq FROM events ORDER BY seq DESC LIMIT 1").get();
    const rows = this.#db.query<{ seq: number; json: string }, [number]>(
      `SELECT seq, json FROM events WHERE seq > ? AND ${isNews} ORDER BY seq LIMIT 500`,
    );
    for (let batch = rows.all(this.#seen); batch.length > 0; batch = rows.all(this.#seen)) {
      for (const { seq, json } of batch) {
        if (seq <= this.#seen) continue; // a listener appended, and published what we were about to
        this.#seen = seq;
        this.#give({ durable: true, event: { ...JSON.parse(json), seq }, json });
      }
    }
    // What is no news needs no second look.
    this.#seen = Math.max(this.#seen, newest?.seq ?? 0);
  }

  #dataVersion(): number {
    return this.#db.query<{ data_version: number }, []>("PRAGMA data_version").get()?.data_version ?? 0;
  }
}
