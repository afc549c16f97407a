import type { Database } from "bun:sqlite";
import type { Comment, Dependency, Project, WorkItem, WorkItemId } from "@ralpher/contract";
import { Fault } from "@ralpher/contract/fault";
import type { ItemRecord } from "./item-line.ts";

export interface ItemRow {
  id: string;
  project_id: string;
  title: string;
  description: string | null;
  status: WorkItem["status"] | null;
  priority: number | null;
  created_at: string;
  updated_at: string;
  closed_at: string | null;
}

type Filter = { projectId?: string | undefined; statuses?: string[] | null | undefined };

/** By priority, then newest first: Trace's order. */
export function listRows(db: Database, { projectId, statuses }: Filter): ItemRow[] {
  const where = ["1 = 1"];
  const values: string[] = [];
  if (projectId !== undefined) {
    where.push("project_id = ?");
    values.push(projectId);
  }
  if (statuses != null) {
    where.push(`status IN (${statuses.map(() => "?").join(",")})`);
    values.push(...statuses);
  }
  return db
    .query<ItemRow, string[]>(
      `SELECT * FROM issues WHERE ${where.join(" AND ")} ORDER BY priority ASC, created_at DESC`,
    )
    .all(...values);
}

export function findRow(db: Database, id: WorkItemId): ItemRow | null {
  return db.query<ItemRow, [string]>("SELECT * FROM issues WHERE id = ?").get(id);
}

/** @throws Fault `work_item_not_found` */
export function requireRow(db: Database, id: WorkItemId): ItemRow {
  const row = findRow(db, id);
  if (row === null) throw new Fault("work_item_not_found", { id });
  return row;
}

export function toItem(row: ItemRow, dependencies: Dependency[]): WorkItem {
  return {
    id: row.id,
    projectId: row.project_id,
    title: row.title,
    description: row.description ?? "",
    status: row.status ?? "open",
    priority: row.priority ?? 2,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    closedAt: row.closed_at,
    dependencies,
  };
}

export function readItem(db: Database, id: WorkItemId): WorkItem {
  return toItem(requireRow(db, id), dependenciesOf(db, id));
}

/** In the order in which they were made. */
export function dependenciesOf(db: Database, id: WorkItemId): Dependency[] {
  return db
    .query<{ depends_on_id: string; type: Dependency["type"] }, [string]>(
      "SELECT depends_on_id, type FROM dependencies WHERE issue_id = ? ORDER BY rowid",
    )
    .all(id)
    .map(({ depends_on_id, type }) => ({ dependsOnId: depends_on_id, type }));
}

/** Many rows as items, with two queries however many they are. */
export function toItems(db: Database, rows: ItemRow[]): WorkItem[] {
  const byItem = new Map<string, Dependency[]>();
  if (rows.length > 0) {
    const linksOfAll = db.query<{ issue_id: string; depends_on_id: string; type: Dependency["type"] }, [string]>(
      `SELECT issue_id, depends_on_id, type FROM dependencies
       WHERE issue_id IN (SELECT value FROM json_each(?)) ORDER BY rowid`,
    );
    for (const { issue_id, depends_on_id, type } of linksOfAll.all(idsOf(rows))) {
      const found = byItem.get(issue_id);
      const dependency = { dependsOnId: depends_on_id, type };
      if (found === undefined) byItem.set(issue_id, [dependency]);
      else found.push(dependency);
    }
  }
  return rows.map((row) => toItem(row, byItem.get(row.id) ?? []));
}

const idsOf = (rows: ItemRow[]) => JSON.stringify(rows.map(({ id }) => id));

/** Items that wait for something that is not closed. */
export function blockedIds(db: Database): Set<WorkItemId> {
  const rows = db
    .query<{ id: string }, []>(
      `SELECT DISTINCT issue_id AS id FROM dependencies JOIN issues ON issues.id = depends_on_id
       WHERE type = 'blocks' AND status IS NOT 'closed'`,
    )
    .all();
  return new Set(rows.map(({ id }) => id));
}

/** Each item's parents, for all items that have any. */
export function parentsOfAll(db: Database): Map<WorkItemId, { id: WorkItemId; title: string }[]> {
  const parents = new Map<WorkItemId, { id: WorkItemId; title: string }[]>();
  const all = db.query<{ child: string; id: string; title: string }, []>(
    `SELECT issue_id AS child, id, title FROM dependencies JOIN issues ON id = depends_on_id
     WHERE type = 'parent' ORDER BY dependencies.rowid`,
  );
  for (const { child, id, title } of all.iterate()) {
    const found = parents.get(child);
    if (found === undefined) parents.set(child, [{ id, title }]);
    else found.push({ id, title });
  }
  return parents;
}

export function childRows(db: Database, id: WorkItemId): ItemRow[] {
  return db
    .query<ItemRow, [string]>(
      `SELECT issues.* FROM issues JOIN dependencies ON issues.id = issue_id
       WHERE depends_on_id = ? AND type = 'parent' ORDER BY issues.created_at`,
    )
    .all(id);
}

type CommentRow = { issue_id: string; content: string; source: string; created_at: string };

export function commentsOf(db: Database, id: WorkItemId): Comment[] {
  return db
    .query<CommentRow, [string]>("SELECT * FROM comments WHERE issue_id = ? ORDER BY created_at, id")
    .all(id)
    .map(toComment);
}

export function commentsIn(db: Database, projectId: string, after: string): Comment[] {
  return db
    .query<CommentRow, [string, string]>(
      `SELECT comments.* FROM comments JOIN issues ON issues.id = issue_id
       WHERE project_id = ? AND comments.created_at > ? ORDER BY comments.created_at, comments.id`,
    )
    .all(projectId, after)
    .map(toComment);
}

/** An item and everything below it, the item first, then by priority, then oldest first. Cycles end where they close. */
export function subtreeRows(db: Database, rootId: WorkItemId): ItemRow[] {
  return db
    .query<ItemRow, [string, string]>(
      `WITH RECURSIVE below(id) AS (
         VALUES (?) UNION
         SELECT issue_id FROM dependencies JOIN below ON depends_on_id = below.id WHERE type = 'parent'
       )
       SELECT issues.* FROM issues JOIN below USING (id) ORDER BY id <> ?, priority, created_at, id`,
    )
    .all(rootId, rootId);
}

/** The newest comments on these items, oldest first. */
export function newestComments(db: Database, rows: ItemRow[], most: number): Comment[] {
  // What changed last was mostly spoken of last: met first, it keeps SQLite from sorting in what is older.
  const latestFirst = rows.toSorted((a, b) => (a.updated_at > b.updated_at ? -1 : a.updated_at < b.updated_at ? 1 : 0));
  return db
    .query<CommentRow, [string, number]>(
      // Sorted by their ids, so that the texts of those that are not among them need not be read. CROSS: in this order.
      `SELECT * FROM comments WHERE id IN (
         SELECT comments.id FROM json_each(?) AS item CROSS JOIN comments ON issue_id = item.value
         ORDER BY created_at DESC, comments.id DESC LIMIT ?
       ) ORDER BY created_at, id`,
    )
    .all(idsOf(latestFirst), most)
    .map(toComment);
}

/** The latest time of a change of an item of the project, or of a comment on one; empty when it has none. */
export function latestIn(db: Database, projectId: string): string {
  const latest = db
    .query<{ at: string | null }, [string, string]>(
      `SELECT max(at) AS at FROM (
         SELECT max(updated_at) AS at FROM issues WHERE project_id = ?
         UNION ALL
         SELECT max(comments.created_at) FROM comments JOIN issues ON issues.id = issue_id WHERE project_id = ?
       )`,
    )
    .get(projectId, projectId);
  return latest?.at ?? "";
}

function toComment({ issue_id, content, source, created_at }: CommentRow): Comment {
  return { itemId: issue_id, content, source, createdAt: created_at };
}

/** The project's items as the JSONL file holds them, sorted by id. */
export function recordsOf(db: Database, projectId: string): ItemRecord[] {
  function grouped<T>(sql: string) {
    const rows = db.query<T & { issue_id: string }, [string]>(sql).all(projectId);
    return Map.groupBy(rows, ({ issue_id }) => issue_id);
  }
  const dependencies = grouped<{ depends_on_id: string; type: string }>(
    `SELECT issue_id, depends_on_id, type FROM dependencies JOIN issues ON issues.id = issue_id
     WHERE project_id = ? ORDER BY issue_id, depends_on_id`,
  );
  const comments = grouped<{ content: string; source: string; created_at: string }>(
    `SELECT issue_id, content, source, comments.created_at FROM comments JOIN issues ON issues.id = issue_id
     WHERE project_id = ? ORDER BY issue_id, comments.created_at, comments.id`,
  );
  const rows = db.query<ItemRow, [string]>("SELECT * FROM issues WHERE project_id = ? ORDER BY id").all(projectId);
  return rows.map(({ project_id: _, ...row }) => ({
    id: row.id,
    title: row.title,
    description: row.description,
    status: row.status,
    priority: row.priority,
    created_at: row.created_at,
    updated_at: row.updated_at,
    closed_at: row.closed_at,
    dependencies: (dependencies.get(row.id) ?? []).map(({ depends_on_id, type }) => ({ depends_on_id, type })),
    comments: (comments.get(row.id) ?? []).map(({ content, source, created_at }) => ({ content, source, created_at })),
  }));
}

type ProjectRow = { id: string; name: string; current_path: string };

export function findProject(db: Database, key: "id" | "name" | "current_path", value: string): Project | null {
  const rows = db
    .query<ProjectRow, [string]>(`SELECT id, name, current_path FROM projects WHERE ${key} = ?`)
    .all(value);
  // Old Traces wrote remotes where the path belongs; such a row says nothing.
  const row = rows.find(({ current_path }) => current_path.startsWith("/"));
  return row === undefined ? null : { id: row.id, name: row.name, path: row.current_path };
}

export function registerProject(db: Database, { id, name, path }: Project): void {
  db.run("INSERT OR REPLACE INTO projects (id, name, current_path) VALUES (?, ?, ?)", [id, name, path]);
}
