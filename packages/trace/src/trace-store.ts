import { Database } from "bun:sqlite";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { LineProblem, SyncReport } from "@ralpher/contract";
import { isFault } from "@ralpher/contract/fault";
import type { Change } from "./change.ts";
import { changeStamp } from "./change-stamp.ts";
import { type Checkout, findCheckout } from "./checkout.ts";
import { prepareGivingOut } from "./give-out.ts";
import { itemsFile } from "./items-file.ts";
import { takeLock } from "./lock.ts";
import { ensureRegistered, type Place, placeOf, placeOfProject } from "./place.ts";
import { requireSchema } from "./schema.ts";
import { needsSync, noteSync, syncPlace } from "./sync-place.ts";
import { toFault } from "./trace-fault.ts";

/** As long as the original waits. */
const patienceMs = 5_000;

interface TraceStoreOptions {
  home: string;
  directory: string;
  stamp: () => string;
  onProblem: (problem: LineProblem) => void;
}

/** The database, the lock and the JSONL files together: how anything is read and changed. */
export class TraceStore {
  readonly directory: string;
  readonly #home: string;
  readonly #stamp: () => string;
  readonly #onProblem: (problem: LineProblem) => void;
  #db: Database | null = null;

  constructor({ home, directory, stamp, onProblem }: TraceStoreOptions) {
    this.#home = home;
    this.directory = directory;
    this.#stamp = stamp;
    this.#onProblem = onProblem;
  }

  checkout(): Checkout | null {
    return findCheckout(this.directory);
  }

  /** Where a project's file is for this caller: in its own folder when that is one of the project's. */
  placeFor(db: Database, projectId: string): Place {
    const own = this.checkout();
    return own?.project.id === projectId ? placeOf(db, own) : placeOfProject(db, projectId);
  }

  /** Read, after what `locate` names was brought up to date. Takes the lock only when there is something to bring. */
  async read<T>(locate: (db: Database) => Place[], work: (db: Database) => T): Promise<T> {
    return await this.#try(async () => {
      const db = this.#open();
      if (locate(db).some((place) => needsSync(db, place))) {
        using _ = await this.#lock();
        this.#sync(db, locate);
      }
      return work(db);
    });
  }

  /**
   * Change in one transaction under the lock, after what `locate` names was brought up to date, then write the files of
   * the projects that were touched.
   */
  async change<T>(locate: (db: Database) => Place[], work: (change: Change, synced: SyncReport[]) => T): Promise<T> {
    return await this.#try(async () => {
      const db = this.#open();
      using _ = await this.#lock();
      const synced = this.#sync(db, locate);
      const touched = new Set<string>();
      const moved = new Set<string>();
      const outs: { place: Place; out: ReturnType<typeof prepareGivingOut> }[] = [];
      let result: T;
      try {
        result = db
          .transaction(() => {
            const done = work({ db, stamp: this.#stamp, touch: (id) => touched.add(id), moved }, synced);
            for (const id of touched) {
              const place = this.#findPlace(db, id);
              if (place === null) continue;
              ensureRegistered(db, place);
              // A worktree whose branch carries no items file gets none: its items are in the database.
              if (!existsSync(place.file)) continue;
              outs.push({ place, out: prepareGivingOut(db, place, moved, this.#home) });
            }
            return done;
          })
          .immediate();
      } catch (error) {
        for (const { out } of outs) out.drop();
        throw error;
      }
      for (const { place, out } of outs) {
        out.put();
        noteSync(db, place);
      }
      return result;
    });
  }

  /** Changes whenever anything in the database or in this folder's file may have. */
  stampOf(): string {
    const root = this.checkout()?.root;
    const database = join(this.#home, "trace.db");
    return changeStamp([database, `${database}-wal`, ...(root === undefined ? [] : [itemsFile(root)])]);
  }

  close(): void {
    this.#db?.close();
    this.#db = null;
  }

  #sync(db: Database, locate: (db: Database) => Place[]): SyncReport[] {
    const places = new Map(locate(db).map((place) => [place.file, place]));
    return [...places.values()].map((place) => {
      const counts = db.transaction(() => syncPlace(db, place, this.#stamp())).immediate();
      for (const problem of counts.problems) this.#onProblem(problem);
      return { project: place.project, path: existsSync(place.file) ? place.file : null, ...counts };
    });
  }

  /** A touched project whose folder is gone has no file to write. */
  #findPlace(db: Database, projectId: string): Place | null {
    try {
      return this.placeFor(db, projectId);
    } catch (error) {
      if (isFault(error, "project_unknown")) return null;
      throw error;
    }
  }

  #lock(): Promise<Disposable> {
    return takeLock(join(this.#home, ".lock"), patienceMs);
  }

  #open(): Database {
    if (this.#db !== null) return this.#db;
    mkdirSync(this.#home, { recursive: true });
    const path = join(this.#home, "trace.db");
    const db = new Database(path, { create: true, readwrite: true });
    try {
      db.run(`PRAGMA busy_timeout = ${patienceMs}`);
      db.run("PRAGMA foreign_keys = ON");
      requireSchema(db, path);
    } catch (error) {
      db.close();
      throw error;
    }
    this.#db = db;
    return db;
  }

  async #try<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw toFault(this.#home, error);
    }
  }
}
