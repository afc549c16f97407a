import type { Database } from "bun:sqlite";
import type { DependencyKind, WorkItemChanges, WorkItemDraft, WorkItemId } from "@ralpher/contract";
import { Fault } from "@ralpher/contract/fault";
import { dependencyKinds, priorities, workItemStatuses } from "@ralpher/contract/work-item-words";
import { findCycle } from "./cycle.ts";
import { newItemId } from "./item-id.ts";
import { childRows, findRow, type ItemRow, requireRow } from "./item-rows.ts";

/** One change: the database inside its transaction, the time, and what has to be written out afterwards. */
export interface Change {
  db: Database;
  /** A time later than any before. */
  stamp(): string;
  /** This project's file must be written. */
  touch(projectId: string): void;
  /** This id is gone because its item has another now. */
  moved: Set<WorkItemId>;
}

/** @throws Fault `invalid_input` */
export function requireValid({ title, status, priority }: WorkItemChanges): void {
  const issues: { path: string; message: string }[] = [];
  if (title === "") issues.push({ path: "title", message: "Title must not be empty" });
  if (status !== undefined && !(workItemStatuses as readonly string[]).includes(status)) {
    issues.push({
      path: "status",
      message: `Invalid status: ${status}. Must be one of ${workItemStatuses.join(", ")}`,
    });
  }
  const { least, most } = priorities;
  if (priority !== undefined && !(Number.isInteger(priority) && priority >= least && priority <= most)) {
    issues.push({ path: "priority", message: `Priority must be between ${least} and ${most}, got ${priority}` });
  }
  if (issues.length > 0) throw new Fault("invalid_input", { what: "work item", issues });
}

export function insertItem(
  { db, stamp }: Change,
  { id, projectId, draft }: { id: WorkItemId; projectId: string; draft: WorkItemDraft },
): void {
  const now = stamp();
  const { title, description, status = "open", priority = priorities.usual } = draft;
  db.run(
    `INSERT INTO issues (id, project_id, title, description, status, priority, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [id, projectId, title, description, status, priority, now, now],
  );
}

/** As the original: a status other than closed forgets when the item was closed; closed does not say when. */
export function updateItem({ db, stamp }: Change, id: WorkItemId, changes: WorkItemChanges): void {
  const { title, description, status, priority } = changes;
  const sets: [string, string | number | null | undefined][] = [
    ["title", title],
    ["description", description],
    ["status", status],
    ["priority", priority],
    ["closed_at", status === undefined || status === "closed" ? undefined : null],
    ["updated_at", stamp()],
  ];
  const given = sets.filter((set): set is [string, string | number | null] => set[1] !== undefined);
  db.run(`UPDATE issues SET ${given.map(([column]) => `${column} = ?`).join(", ")} WHERE id = ?`, [
    ...given.map(([, value]) => value),
    id,
  ]);
}

/** @throws Fault `open_children` unless forced */
export function closeItem({ db, stamp }: Change, id: WorkItemId, force: boolean): void {
  const children = childRows(db, id).filter(({ status }) => status !== "closed");
  if (children.length > 0 && !force) {
    throw new Fault("open_children", {
      id,
      children: children.map((child) => ({ id: child.id, title: child.title, status: child.status ?? "open" })),
    });
  }
  const now = stamp();
  db.run("UPDATE issues SET status = 'closed', closed_at = ?, updated_at = ? WHERE id = ?", [now, now, id]);
}

export function insertComment(
  { db, stamp }: Change,
  itemId: WorkItemId,
  { content, source = "user" }: { content: string; source?: string | undefined },
) {
  const createdAt = stamp();
  db.run("INSERT INTO comments (issue_id, content, source, created_at) VALUES (?, ?, ?, ?)", [
    itemId,
    content,
    source,
    createdAt,
  ]);
  return { itemId, content, source, createdAt };
}

/** @throws Fault `invalid_input`, `work_item_not_found`, `dependency_cycle`, `dependency_exists` */
export function insertDependency(
  { db, stamp }: Change,
  id: WorkItemId,
  dependsOnId: WorkItemId,
  type: DependencyKind,
): void {
  if (!(dependencyKinds as readonly string[]).includes(type)) {
    const message = `Invalid dependency type: ${type}. Must be one of ${dependencyKinds.join(", ")}`;
    throw new Fault("invalid_input", { what: "dependency", issues: [{ path: "type", message }] });
  }
  requireRow(db, dependsOnId);
  const had = db
    .query<{ type: string }, [string, string]>("SELECT type FROM dependencies WHERE issue_id = ? AND depends_on_id = ?")
    .get(id, dependsOnId);
  if (had !== null && had.type !== type) throw new Fault("dependency_exists", { id, dependsOnId, type: had.type });
  if (had !== null) return;
  const path = findCycle(db, id, dependsOnId, type);
  if (path !== null) throw new Fault("dependency_cycle", { id, dependsOnId, path });
  db.run("INSERT INTO dependencies (issue_id, depends_on_id, type, created_at) VALUES (?, ?, ?, ?)", [
    id,
    dependsOnId,
    type,
    stamp(),
  ]);
}

/** @throws Fault `work_item_not_found`, `dependency_cycle`, `dependency_exists` */
export function setParent(change: Change, id: WorkItemId, parentId: WorkItemId | null): void {
  const { db } = change;
  if (parentId !== null) requireRow(db, parentId);
  db.run("DELETE FROM dependencies WHERE issue_id = ? AND type = 'parent'", [id]);
  if (parentId !== null) insertDependency(change, id, parentId, "parent");
}

/** Give an item a new id in another project. What depends on it and what was said about it go with it. */
export function moveItem(
  { db, stamp, touch, moved }: Change,
  row: ItemRow,
  { id, projectId }: { id: WorkItemId; projectId: string },
): void {
  db.run(
    `INSERT INTO issues (id, project_id, title, description, status, priority, created_at, updated_at, closed_at)
     SELECT ?, ?, title, description, status, priority, created_at, updated_at, closed_at FROM issues WHERE id = ?`,
    [id, projectId, row.id],
  );
  db.run(
    `INSERT INTO dependencies (issue_id, depends_on_id, type, created_at)
     SELECT ?, depends_on_id, type, ? FROM dependencies WHERE issue_id = ?`,
    [id, stamp(), row.id],
  );
  const dependants = db
    .query<{ project_id: string }, [string]>(
      "SELECT DISTINCT project_id FROM issues JOIN dependencies ON id = issue_id WHERE depends_on_id = ?",
    )
    .all(row.id);
  for (const { project_id } of dependants) touch(project_id);
  db.run("UPDATE dependencies SET depends_on_id = ? WHERE depends_on_id = ?", [id, row.id]);
  db.run("UPDATE comments SET issue_id = ? WHERE issue_id = ?", [id, row.id]);
  db.run("DELETE FROM issues WHERE id = ?", [row.id]);
  touch(row.project_id);
  touch(projectId);
  moved.add(row.id);
}

/** A free id in the project with this name. */
export function freeId(db: Database, projectName: string, title: string): WorkItemId {
  return newItemId(projectName, title, (id) => findRow(db, id) !== null);
}
