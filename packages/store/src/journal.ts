import { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import {
  completeView,
  type DurableEvent,
  type EventQuery,
  Fault,
  fold,
  isFault,
  type Journal,
  type Lease,
  type LoopId,
  type LoopQuery,
  type LoopStatus,
  type LoopSummary,
  type LoopView,
  type RawEvent,
  type SearchPage,
  type SearchQuery,
  Settings,
  type StoredEvent,
  toSummary,
} from "@ralpher/contract";
import { readRows, tallyRows } from "./event-rows.ts";
import { removeIntake, takeIn, unfinishedIntakes, type Write } from "./intake.ts";
import { Lines, likeText } from "./lines.ts";
import { ProcessTable } from "./process-table.ts";
import { Publisher } from "./publisher.ts";
import { migrate } from "./schema.ts";
import { search } from "./search.ts";
import { toFault, withFaults } from "./sqlite-fault.ts";

export interface JournalOptions {
  /** The database file; it and its folder are made when missing. */
  path: string;
}

/**
 * Open the journal over SQLite (WAL: readers never wait; a commit survives the death of the process).
 * @throws Fault `data_root_unusable`, `database_corrupt`, `disk_full`
 */
export function openJournal({ path }: JournalOptions): Journal {
  makeFolder(dirname(path));
  return withFaults(path, () => {
    const db = new Database(path, { create: true, strict: true });
    try {
      db.run("PRAGMA busy_timeout = 10000");
      db.run("PRAGMA journal_mode = WAL");
      db.run("PRAGMA synchronous = NORMAL");
      migrate(db, path);
      db.run(`PRAGMA busy_timeout = ${blockMs}`);
    } catch (error) {
      db.close();
      throw error;
    }
    return new SqliteJournal(db, path);
  });
}

/** How long a call may hold up this process while another one writes; theirs take a fraction of a millisecond. */
const blockMs = 200;
/** How long a write is tried again while the database is locked, in milliseconds. */
const patienceMs = 30_000;
/** Views of so many loops stay parsed in memory; a loop under way is always among them. */
const viewsKept = 200;

class SqliteJournal implements Journal {
  readonly #db: Database;
  readonly #path: string;
  readonly #views = new Map<LoopId, LoopView>();
  readonly #processes: ProcessTable;
  readonly #publisher: Publisher;
  readonly #lines: Lines;
  /** Loops that this process is taking in. */
  readonly #coming = new Set<LoopId>();
  #closed = false;

  constructor(db: Database, path: string) {
    this.#db = db;
    this.#path = path;
    this.#lines = new Lines(db);
    this.#processes = new ProcessTable(db);
    this.#publisher = new Publisher(db, this.#latest());
  }

  async append(
    loopId: LoopId,
    decide: (view: LoopView | null) => DurableEvent[],
    lease?: Lease,
  ): Promise<LoopView | null> {
    const { view, stored } = await this.#write(() => {
      if (lease !== undefined) this.#processes.requireHeld(loopId);
      return this.#appendNow(loopId, decide);
    });
    this.#remember(loopId, view);
    this.#publisher.stored(stored);
    return view;
  }

  #appendNow(loopId: LoopId, decide: (view: LoopView | null) => DurableEvent[]) {
    const before = this.#view(loopId);
    let view = before;
    const stored: { event: StoredEvent; json: string }[] = [];
    for (const event of decide(view)) {
      const json = JSON.stringify(event);
      const seq = Number(
        this.#db.query("INSERT INTO events (loop_id, type, json) VALUES (?, ?, ?)").run(event.loopId, event.type, json)
          .lastInsertRowid,
      );
      const withSeq = { ...event, seq };
      stored.push({ event: withSeq, json });
      view = fold(view, withSeq);
    }
    if (stored.length > 0 && view !== null) this.#writeView(view, before);
    return { view, stored };
  }

  broadcast(...[event]: Parameters<Journal["broadcast"]>): void {
    this.#publisher.broadcast(event);
  }

  async erase(loopId: LoopId, at: Date): Promise<void> {
    const stored = await this.#write(() => {
      if (this.#view(loopId) === null) return [];
      for (const table of ["events", "leases", "histories", "intakes"]) {
        this.#db.run(`DELETE FROM ${table} WHERE loop_id = ?`, [loopId]);
      }
      this.#db.run("DELETE FROM loops WHERE id = ?", [loopId]);
      return this.#appendNow(loopId, () => [{ type: "loop.deleted", loopId, at: at.toISOString() }]).stored;
    });
    this.#views.delete(loopId);
    this.#publisher.stored(stored);
  }

  async find(loopId: LoopId): Promise<LoopView | null> {
    return this.#try(() => {
      const view = this.#view(loopId);
      this.#remember(loopId, view);
      return view;
    });
  }

  async ids(statuses: LoopStatus[]): Promise<LoopId[]> {
    const marks = statuses.map(() => "?").join(",");
    return this.#try(() =>
      this.#db
        .query<{ id: LoopId }, string[]>(`SELECT id FROM loops WHERE status IN (${marks})`)
        .all(...statuses)
        .map(({ id }) => id),
    );
  }

  async findByPrefix(prefix: string): Promise<LoopId[]> {
    return this.#try(() =>
      this.#db
        .query<{ id: LoopId }, [string]>("SELECT id FROM loops WHERE id LIKE ? ESCAPE '\\' ORDER BY id LIMIT 10")
        .all(`${likeText(prefix)}%`)
        .map(({ id }) => id),
    );
  }

  async list(query: LoopQuery = {}): Promise<LoopSummary[]> {
    return (await this.listRaw(query)).map((json) => JSON.parse(json));
  }

  async listRaw(query: LoopQuery = {}): Promise<string[]> {
    return this.#try(() => this.#lines.list(query));
  }

  async count(query: LoopQuery = {}): Promise<number> {
    return this.#try(() => this.#lines.count(query));
  }

  async read(query: EventQuery): Promise<StoredEvent[]> {
    return this.#try(() => readRows(this.#db, query)).map(({ seq, json }) => ({ ...JSON.parse(json), seq }));
  }

  async readRaw(query: EventQuery): Promise<RawEvent[]> {
    return this.#try(() => readRows(this.#db, query));
  }

  async tally(query: Parameters<Journal["tally"]>[0]): Promise<number> {
    return this.#try(() => tallyRows(this.#db, query));
  }

  async search(loopId: LoopId, query: SearchQuery): Promise<SearchPage> {
    try {
      return await search(this.#db, loopId, query);
    } catch (error) {
      throw toFault(this.#path, error);
    }
  }

  async takeIn(loopId: LoopId, events: AsyncIterable<DurableEvent>): Promise<LoopView> {
    if (this.#coming.has(loopId)) throw new RangeError(`loop ${loopId} is coming in already`);
    const write: Write = (work) => this.#write(work);
    this.#coming.add(loopId);
    try {
      await this.#removeForgotten(write, loopId);
      if (this.#try(() => this.#view(loopId)) !== null) throw new RangeError(`there is a loop ${loopId} already`);
      const { view, last, json } = await takeIn(this.#db, write, loopId, events, ({ view }) => {
        // A loop of this id that was deleted here is no part of its history.
        this.#db.run("DELETE FROM events WHERE loop_id = ? AND type = 'loop.deleted'", [loopId]);
        this.#writeView(view, null);
      });
      this.#remember(loopId, view);
      this.#publisher.stored([{ event: last, json }]);
      return view;
    } finally {
      this.#coming.delete(loopId);
    }
  }

  /** What came of loops whose intake nobody is at any more, for their process died. */
  async #removeForgotten(write: Write, own: LoopId): Promise<void> {
    for (const id of this.#try(() => unfinishedIntakes(this.#db))) {
      const isForgotten = id === own || (!this.#coming.has(id) && this.#try(() => this.#processes.holder(id)) === null);
      if (isForgotten) await removeIntake(this.#db, write, id);
    }
  }

  async settings(): Promise<Settings> {
    const row = this.#try(() => this.#db.query<{ json: string }, []>("SELECT json FROM settings").get());
    return Settings.parse(row === null ? {} : JSON.parse(row.json));
  }

  async saveSettings(settings: Settings): Promise<void> {
    await this.#patiently(() =>
      this.#db.query("INSERT OR REPLACE INTO settings (id, json) VALUES (1, ?)").run(JSON.stringify(settings)),
    );
  }

  async latest(): Promise<number> {
    return this.#try(() => this.#latest());
  }

  subscribe(...[listener]: Parameters<Journal["subscribe"]>): () => void {
    return this.#publisher.subscribe(listener);
  }

  async lease(loopId: LoopId) {
    return await this.#patiently(() => this.#processes.lease(loopId));
  }

  async holder(loopId: LoopId) {
    return this.#try(() => this.#processes.holder(loopId));
  }

  async announce({ url }: { url: string }): Promise<AsyncDisposable> {
    return await this.#patiently(() => this.#processes.announce(url));
  }

  async services() {
    return this.#try(() => this.#processes.services());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#publisher.close();
    try {
      this.#processes.close();
    } finally {
      this.#db.close();
    }
  }

  /** The loop's view: from memory when nobody else has written since, else from the database. */
  #view(loopId: LoopId): LoopView | null {
    const row = this.#db.query<{ seq: number }, [string]>("SELECT seq FROM loops WHERE id = ?").get(loopId);
    if (row === null) return null;
    const known = this.#views.get(loopId);
    if (known?.seq === row.seq) return known;
    const stored = this.#db
      .query<{ view: string; history: string }, [string]>(
        "SELECT view, history FROM loops JOIN histories ON loop_id = id WHERE id = ?",
      )
      .get(loopId);
    return stored === null ? null : completeView({ ...JSON.parse(stored.view), ...JSON.parse(stored.history) });
  }

  #remember(loopId: LoopId, view: LoopView | null): void {
    this.#views.delete(loopId);
    if (view === null) return;
    this.#views.set(loopId, view);
    const oldest = this.#views.keys().next().value;
    if (this.#views.size > viewsKept && oldest !== undefined) this.#views.delete(oldest);
  }

  /** Most events leave the lists of the view as they are; those are long, and only written when they changed. */
  #writeView(view: LoopView, before: LoopView | null): void {
    const { recent, commits, ...rest } = view;
    if (recent !== before?.recent || commits !== before.commits) {
      this.#db
        .query("INSERT OR REPLACE INTO histories (loop_id, history) VALUES (?, ?)")
        .run(view.id, JSON.stringify({ recent, commits }));
    }
    this.#db
      .query(
        `INSERT INTO loops (id, seq, status, name, directory, last_activity, summary, view)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, status = excluded.status, name = excluded.name,
           directory = excluded.directory, last_activity = excluded.last_activity, summary = excluded.summary,
           view = excluded.view`,
      )
      .run(
        view.id,
        view.seq,
        view.phase.status,
        view.config.name,
        view.config.directory,
        view.lastActivityAt,
        JSON.stringify(toSummary(view)),
        JSON.stringify(rest),
      );
  }

  #latest(): number {
    // Not max(seq): after a deletion the newest event may be gone, and its number must not come again.
    const row = this.#db.query<{ seq: number }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'events'").get();
    return row?.seq ?? 0;
  }

  /** One transaction, begun as a writer. */
  #write<T>(work: () => T): Promise<T> {
    return this.#patiently(() => this.#db.transaction(work).immediate());
  }

  /** Try again while another program holds the database locked, without holding up this process meanwhile. */
  async #patiently<T>(work: () => T): Promise<T> {
    const until = Date.now() + patienceMs;
    for (;;) {
      try {
        return this.#try(work);
      } catch (error) {
        if (!isFault(error, "database_busy") || Date.now() > until) throw error;
        await Bun.sleep(50 + Math.random() * 100);
      }
    }
  }

  #try<T>(work: () => T): T {
    return withFaults(this.#path, work);
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code = "unknown", message } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC") throw new Fault("disk_full", { path: folder }, { cause: error });
    throw new Fault("data_root_unusable", { path: folder, detail: message }, { cause: error });
  }
}
