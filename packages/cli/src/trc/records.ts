import type { Comment, WorkItem, WorkItemTree } from "@ralpher/contract";

/** An item for `--json`: the keys are those of Trace's own files. */
export function toRecord(item: WorkItem) {
  return {
    id: item.id,
    project_id: item.projectId,
    title: item.title,
    description: item.description,
    status: item.status,
    priority: item.priority,
    created_at: item.createdAt,
    updated_at: item.updatedAt,
    closed_at: item.closedAt,
    dependencies: item.dependencies.map(({ dependsOnId, type }) => ({ depends_on_id: dependsOnId, type })),
  };
}

export function commentRecord({ content, source, createdAt }: Comment) {
  return { content, source, created_at: createdAt };
}

export type TreeRecord = ReturnType<typeof toRecord> & { children: TreeRecord[] };

export function treeRecord({ item, children }: WorkItemTree): TreeRecord {
  return { ...toRecord(item), children: children.map(treeRecord) };
}
