import type { Database } from "bun:sqlite";
import type { RepairReport } from "@ralpher/contract";
import { findProject } from "./item-rows.ts";
import { isIdOf, nameInId, nameOfProjectId } from "./project-name.ts";

/** File items under the project that their ids say, or only count them. Gives the ids of the projects concerned too. */
export function repairItems(
  db: Database,
  { projectId, dryRun }: { projectId?: string | undefined; dryRun: boolean },
): Omit<RepairReport, "affected"> & { projects: string[] } {
  const rows = db
    .query<{ id: string; project_id: string }, []>("SELECT id, project_id FROM issues")
    .all()
    .filter(({ project_id }) => projectId === undefined || project_id === projectId);
  const report = { examined: rows.length, contaminated: 0, repaired: 0, orphaned: 0 };
  const projects = new Set<string>();
  for (const { id, project_id } of rows) {
    const said = nameInId(id);
    const filed = [nameOfProjectId(project_id), findProject(db, "id", project_id)?.name ?? ""];
    if (said === null || isIdOf(id, filed)) continue;
    report.contaminated++;
    projects.add(project_id);
    const right = findProject(db, "name", said);
    if (right === null) {
      report.orphaned++;
      continue;
    }
    report.repaired++;
    projects.add(right.id);
    if (!dryRun) db.run("UPDATE issues SET project_id = ? WHERE id = ?", [right.id, id]);
  }
  return { ...report, projects: [...projects] };
}
