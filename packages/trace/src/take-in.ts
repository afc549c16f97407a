import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import type { LineProblem, SyncReport } from "@ralpher/contract";
import { type ItemRecord, parseLine } from "./item-line.ts";
import { findProject, findRow, type ItemRow } from "./item-rows.ts";
import { readLines } from "./items-file.ts";
import type { Place } from "./place.ts";
import { isIdOf, nameOfProjectId } from "./project-name.ts";
import { isLater, secondsOf } from "./trace-time.ts";

/** File systems note times more coarsely than clocks tell them: up to 10 ms, and a few more for a busy machine. */
const slackSeconds = 0.05;

type Counts = Pick<SyncReport, "created" | "updated" | "skipped" | "problems">;

/**
 * Take a place's JSONL file into the database. What the file says counts, as in the original, but for what was changed
 * elsewhere (in another checkout or worktree) after this file was last read or written and is newer than the file's.
 * Comments are only ever added: nobody can take back what was said.
 */
export function takeIn(db: Database, place: Place, lastSync: number | null, now: string): Counts {
  const problems: LineProblem[] = [];
  const problem = (line: number, why: string) => problems.push({ path: place.file, line, why });
  const { records, skipped } = readRecords(place, problem);
  const since = lastSync === null ? null : lastSync + slackSeconds;
  let created = 0;
  let updated = 0;
  const taken: { record: ItemRecord; line: number; dependencies: boolean }[] = [];
  for (const { record, line } of records.values()) {
    const known = findRow(db, record.id);
    if (known === null) {
      insert(db, place.project.id, record);
      created++;
      taken.push({ record, line, dependencies: true });
      continue;
    }
    if (known.project_id !== place.project.id && !isAdopted(db, known)) {
      problem(line, `${record.id} belongs to ${known.project_id}`);
      continue;
    }
    const isElsewhereLater = isAfter(known.updated_at, since) && isLater(known.updated_at, record.updated_at);
    if (isElsewhereLater) {
      db.run("UPDATE issues SET project_id = ? WHERE id = ?", [place.project.id, record.id]);
    } else {
      update(db, place.project.id, record);
      updated++;
    }
    // Dependencies have no time in the file. Of a file that was never read before, as in a fresh worktree, only what is
    // surely later than the database may change them.
    const dependencies = since === null ? isLater(record.updated_at, known.updated_at) : !isElsewhereLater;
    taken.push({ record, line, dependencies });
  }
  for (const { record, line, dependencies } of taken) {
    if (dependencies) {
      for (const unknown of takeDependencies(db, record, since, now)) {
        problem(line, `it depends on ${unknown}, which is not known here`);
      }
    }
    takeComments(db, record);
  }
  return { created, updated, skipped, problems };
}

/** After the file was last known; where nothing is known of its past, everything is. */
function isAfter(time: string, since: number | null): boolean {
  return since === null || secondsOf(time) > since;
}

/** The file's items; of several lines for one item the newest. */
function readRecords(place: Place, problem: (line: number, why: string) => void) {
  const names = namesOf(place);
  const records = new Map<string, { record: ItemRecord; line: number }>();
  let skipped = 0;
  for (const { number: line, text } of readLines(place.file)) {
    const record = text === null ? "it is not UTF-8" : parseLine(text);
    if (typeof record === "string") {
      problem(line, record);
    } else if (!isIdOf(record.id, names)) {
      skipped++;
    } else {
      const before = records.get(record.id)?.record;
      if (before !== undefined && isLater(before.updated_at, record.updated_at)) {
        before.comments = mergeComments(before.comments, record.comments);
        continue;
      }
      if (before !== undefined) record.comments = mergeComments(before.comments, record.comments);
      records.set(record.id, { record, line });
    }
  }
  return { records, skipped };
}

/** How ids of a project's items may begin. The original goes by the project's id; both differ for odd remotes only. */
export function namesOf({ project }: Place): string[] {
  return [project.name, nameOfProjectId(project.id)];
}

/** Items of a folder that is gone belong to where their file is now: the repository was moved. */
function isAdopted(db: Database, { project_id }: ItemRow): boolean {
  const path = findProject(db, "id", project_id)?.path ?? project_id;
  return path.startsWith("/") && !existsSync(path);
}

function insert(db: Database, projectId: string, record: ItemRecord): void {
  db.run(
    `INSERT INTO issues (id, project_id, title, description, status, priority, created_at, updated_at, closed_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [record.id, projectId, ...content(record), record.created_at, record.updated_at, record.closed_at],
  );
}

function update(db: Database, projectId: string, record: ItemRecord): void {
  db.run(
    `UPDATE issues SET project_id = ?, title = ?, description = ?, status = ?, priority = ?, updated_at = ?,
       closed_at = ? WHERE id = ?`,
    [projectId, ...content(record), record.updated_at, record.closed_at, record.id],
  );
}

const content = ({ title, description, status, priority }: ItemRecord) => [title, description, status, priority];

/** The file's dependencies replace those of the item but for later ones. Gives the ids that no item is known of. */
function takeDependencies(db: Database, record: ItemRecord, since: number | null, now: string): string[] {
  const had = db
    .query<{ depends_on_id: string; type: string; created_at: string }, [string]>(
      "SELECT depends_on_id, type, created_at FROM dependencies WHERE issue_id = ?",
    )
    .all(record.id);
  const inFile = new Set(record.dependencies.map(({ depends_on_id }) => depends_on_id));
  const isKept = ({ created_at }: { created_at: string }) => since !== null && secondsOf(created_at) > since;
  for (const dependency of had) {
    if (!inFile.has(dependency.depends_on_id) && !isKept(dependency)) {
      db.run("DELETE FROM dependencies WHERE issue_id = ? AND depends_on_id = ?", [
        record.id,
        dependency.depends_on_id,
      ]);
    }
  }
  const hasLaterParent = had.some(
    (dependency) => dependency.type === "parent" && !inFile.has(dependency.depends_on_id) && isKept(dependency),
  );
  const unknown: string[] = [];
  for (const { depends_on_id, type } of record.dependencies) {
    if (type === "parent" && hasLaterParent) continue;
    if (findRow(db, depends_on_id) === null) {
      unknown.push(depends_on_id);
      continue;
    }
    db.run(
      `INSERT INTO dependencies (issue_id, depends_on_id, type, created_at) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET type = excluded.type`,
      [record.id, depends_on_id, type, now],
    );
  }
  return unknown;
}

type Said = ItemRecord["comments"][number];

const keyOf = ({ content: text, source, created_at }: Said) => JSON.stringify([created_at, source, text]);

/** Those of `more` that `have` lacks; what was said twice may be there twice. */
function missing(have: Said[], more: Said[]): Said[] {
  const left = new Map<string, number>();
  for (const said of have) left.set(keyOf(said), (left.get(keyOf(said)) ?? 0) + 1);
  return more.filter((said) => {
    const count = left.get(keyOf(said)) ?? 0;
    left.set(keyOf(said), count - 1);
    return count <= 0;
  });
}

function mergeComments(have: Said[], more: Said[]): Said[] {
  return [...have, ...missing(have, more)];
}

function takeComments(db: Database, record: ItemRecord): void {
  if (record.comments.length === 0) return;
  const have = db
    .query<Said, [string]>("SELECT content, source, created_at FROM comments WHERE issue_id = ?")
    .all(record.id);
  for (const { content: text, source, created_at } of missing(have, record.comments)) {
    db.run("INSERT INTO comments (issue_id, content, source, created_at) VALUES (?, ?, ?, ?)", [
      record.id,
      text,
      source,
      created_at,
    ]);
  }
}
