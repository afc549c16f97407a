import type { Database } from "bun:sqlite";
import { Fault } from "@ralpher/contract";

/** One entry a version, applied in order; `PRAGMA user_version` counts those done. Never edit one that was released. */
const migrations = [
  `
  CREATE TABLE events (
    seq     INTEGER PRIMARY KEY AUTOINCREMENT,
    loop_id TEXT NOT NULL,
    type    TEXT NOT NULL,
    json    TEXT NOT NULL
  );
  CREATE INDEX events_of_loop ON events (loop_id, seq);
  CREATE TABLE loops (
    id            TEXT PRIMARY KEY,
    seq           INTEGER NOT NULL,
    status        TEXT NOT NULL,
    name          TEXT NOT NULL,
    directory     TEXT NOT NULL,
    last_activity TEXT NOT NULL,
    summary       TEXT NOT NULL,
    view          TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE histories (
    loop_id TEXT PRIMARY KEY,
    history TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX loops_by_status ON loops (status);
  CREATE TABLE processes (
    owner     TEXT PRIMARY KEY,
    pid       INTEGER NOT NULL,
    namespace TEXT NOT NULL,
    ticks     TEXT NOT NULL,
    url       TEXT,
    heard_ms  INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE leases (
    loop_id TEXT PRIMARY KEY,
    owner   TEXT NOT NULL REFERENCES processes (owner)
  ) WITHOUT ROWID;
  `,
  `
  CREATE INDEX events_by_type ON events (loop_id, type, seq);
  CREATE TABLE settings (
    id   INTEGER PRIMARY KEY CHECK (id = 1),
    json TEXT NOT NULL
  );
  CREATE TABLE intakes (
    loop_id TEXT PRIMARY KEY,
    last    INTEGER NOT NULL
  ) WITHOUT ROWID;
  `,
];

/** Bring the database to this version's schema. @throws Fault `data_root_unusable` when it is from a newer Ralpher */
export function migrate(db: Database, path: string): void {
  db.transaction(() => {
    const { user_version: version } = db.query<{ user_version: number }, []>("PRAGMA user_version").get() ?? {
      user_version: 0,
    };
    if (version > migrations.length) {
      throw new Fault("data_root_unusable", { path, detail: "it was written by a newer version of Ralpher" });
    }
    for (const sql of migrations.slice(version)) db.run(sql);
    db.run(`PRAGMA user_version = ${migrations.length}`);
  }).immediate();
}
