import type { ReadyItem, WorkItem, WorkItemDetail, WorkItemTree } from "@ralpher/contract";

const markers: Record<WorkItem["status"], string> = { open: "○", in_progress: "◐", closed: "●", blocked: "⊘" };

export function listLine({ id, title, status, priority }: WorkItem): string {
  return `${markers[status]} ${id} [P${priority}] ${title}`;
}

/** The original marks all of them as open, whatever was asked for. */
export function readyLines(item: ReadyItem): string[] {
  const parents = item.parents.map(({ id, title }) => `   └─ child of: ${id} - ${title}`);
  return [listLine({ ...item, status: "open" }), ...parents];
}

/** 2026-11-21 21:55:20 */
export function second(time: string): string {
  return time.slice(0, 19).replace("T", " ");
}

export function detailLines(item: WorkItemDetail): string[] {
  const lines = [
    `ID:          ${item.id}`,
    `Title:       ${item.title}`,
    `Status:      ${item.status}`,
    `Priority:    ${item.priority}`,
    `Project:     ${item.projectId}`,
    `Created:     ${item.createdAt}`,
    `Updated:     ${item.updatedAt}`,
  ];
  if (item.description !== "") lines.push("", "Description:", item.description);
  if (item.dependencies.length > 0) lines.push("", "Dependencies:");
  for (const { type, dependsOnId } of item.dependencies) {
    lines.push(`  ${type.padEnd(8)} ${dependsOnId} - ${item.titles[dependsOnId] ?? "(unknown)"}`);
  }
  if (item.children.length > 0) lines.push("", "Children:");
  for (const child of item.children) lines.push(`  ${markers[child.status]} ${child.id} - ${child.title}`);
  if (item.comments.length > 0) lines.push("", "Comments:");
  for (const { createdAt, source, content } of item.comments) {
    lines.push(`  [${second(createdAt)}] ${source}: ${content}`);
  }
  return lines;
}

export function treeLines({ item, children }: WorkItemTree, prefix = "", connector = ""): string[] {
  const { id, title, status } = item;
  const below = connector === "├─ " ? `${prefix}│  ` : `${prefix}   `;
  return [
    `${prefix}${connector}${markers[status]} ${id} - ${title} [${status}]`,
    ...children.flatMap((child, at) => treeLines(child, below, at === children.length - 1 ? "└─ " : "├─ ")),
  ];
}
