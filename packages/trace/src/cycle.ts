import type { Database } from "bun:sqlite";
import type { DependencyKind, WorkItemId } from "@ralpher/contract";

/**
 * The cycle that "id depends on dependsOnId" would close, as a path from `id` back to `id`; null when there is none.
 * Only dependencies of one type make a cycle together; related ones go both ways anyway.
 */
export function findCycle(
  db: Database,
  id: WorkItemId,
  dependsOnId: WorkItemId,
  type: DependencyKind,
): WorkItemId[] | null {
  if (id === dependsOnId) return [id, id];
  if (type === "related") return null;
  const next = db.query<{ id: string }, [string, string]>(
    "SELECT depends_on_id AS id FROM dependencies WHERE issue_id = ? AND type = ?",
  );
  const cameFrom = new Map<WorkItemId, WorkItemId>([[dependsOnId, id]]);
  const open = [dependsOnId];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const { id: found } of next.all(at, type)) {
      if (cameFrom.has(found)) continue;
      cameFrom.set(found, at);
      if (found === id) return pathTo(id, cameFrom);
      open.push(found);
    }
  }
  return null;
}

function pathTo(id: WorkItemId, cameFrom: Map<WorkItemId, WorkItemId>): WorkItemId[] {
  const path = [id];
  let at = cameFrom.get(id);
  while (at !== undefined && at !== id) {
    path.unshift(at);
    at = cameFrom.get(at);
  }
  return [id, ...path];
}
