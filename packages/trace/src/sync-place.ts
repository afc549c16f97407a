import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import type { SyncReport } from "@ralpher/contract";
import { registerProject } from "./item-rows.ts";
import { writtenAt } from "./items-file.ts";
import { ensureRegistered, type Place } from "./place.ts";
import { takeIn } from "./take-in.ts";

/** When the place's file was last read or written; null when it never was. */
function lastSyncOf(db: Database, { syncKey }: Place): number | null {
  const row = db.query<{ value: string }, [string]>("SELECT value FROM metadata WHERE key = ?").get(syncKey);
  return row === null ? null : Number(row.value);
}

/** Note that database and file agree now. */
export function noteSync(db: Database, place: Place): void {
  const at = writtenAt(place.file);
  if (at === null) return;
  if (lastSyncOf(db, place) === null) forgetGonePlaces(db, place);
  // As Python writes a float.
  const value = Number.isInteger(at) ? `${at}.0` : String(at);
  db.run("INSERT OR REPLACE INTO metadata (key, value) VALUES (?, ?)", [place.syncKey, value]);
}

/** Worktrees come and go; what is noted of those that are gone is of no use. */
function forgetGonePlaces(db: Database, { project }: Place): void {
  const begin = `last_sync:${project.id} in `;
  const rows = db
    .query<{ key: string }, [string, string]>("SELECT key FROM metadata WHERE substr(key, 1, length(?)) = ?")
    .all(begin, begin);
  for (const { key } of rows) {
    if (!existsSync(key.slice(begin.length))) db.run("DELETE FROM metadata WHERE key = ?", [key]);
  }
}

/** Is there anything to do before the place's items can be read? */
export function needsSync(db: Database, place: Place): boolean {
  return isFileNewer(db, place) || oldIds(db, place).length > 0;
}

function isFileNewer(db: Database, place: Place): boolean {
  const at = writtenAt(place.file);
  if (at === null) return false;
  const last = lastSyncOf(db, place);
  return last === null || !(at <= last);
}

/** Ids under which this folder was filed before: its path, or a remote that it does not have any more. */
function oldIds(db: Database, { project: { id, path } }: Place): string[] {
  return db
    .query<{ id: string }, [string, string, string, string]>(
      `SELECT id FROM projects WHERE current_path = ? AND id <> ?
       UNION SELECT project_id FROM issues WHERE project_id = ? AND project_id <> ?`,
    )
    .all(path, id, path, id)
    .map((row) => row.id);
}

/** Bring the database up to date with the place: its project's id, and its file when that is newer. */
export function syncPlace(db: Database, place: Place, now: string): Omit<SyncReport, "project" | "path"> {
  const before = oldIds(db, place);
  for (const id of before) {
    db.run("UPDATE issues SET project_id = ? WHERE project_id = ?", [place.project.id, id]);
    db.run("DELETE FROM projects WHERE id = ?", [id]);
  }
  if (before.length > 0) registerProject(db, place.project);
  if (!isFileNewer(db, place)) return { created: 0, updated: 0, skipped: 0, problems: [] };
  ensureRegistered(db, place);
  const counts = takeIn(db, place, lastSyncOf(db, place), now);
  noteSync(db, place);
  return counts;
}
