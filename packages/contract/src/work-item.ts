import { z } from "zod";
import { dependencyKinds, priorities, workItemStatuses } from "./work-item-words.ts";

export const WorkItemStatus = z.enum(workItemStatuses);
export type WorkItemStatus = z.infer<typeof WorkItemStatus>;

export const DependencyKind = z.enum(dependencyKinds);
export type DependencyKind = z.infer<typeof DependencyKind>;

export const Priority = z.int().min(priorities.least).max(priorities.most);
export type Priority = z.infer<typeof Priority>;

/** `<project>-<6 of 0-9a-z>` */
export const WorkItemId = z.string().min(1);
export type WorkItemId = z.infer<typeof WorkItemId>;

/** One repository, whatever folders it is checked out in. */
export const Project = z.object({
  /** The remote as `host/owner/repository`; the absolute path when there is none. */
  id: z.string().min(1),
  /** What the ids of its items begin with. */
  name: z.string(),
  /** The folder of its checkout. */
  path: z.string(),
});
export type Project = z.infer<typeof Project>;

/** "This item belongs to, waits for, or is related to that one." */
export const Dependency = z.object({ dependsOnId: WorkItemId, type: DependencyKind });
export type Dependency = z.infer<typeof Dependency>;

/** Times are UTC, ISO 8601, with microseconds. */
export const WorkItem = z.object({
  id: WorkItemId,
  projectId: z.string().min(1),
  title: z.string(),
  description: z.string(),
  status: WorkItemStatus,
  priority: Priority,
  createdAt: z.string(),
  updatedAt: z.string(),
  closedAt: z.string().nullable(),
  dependencies: z.array(Dependency),
});
export type WorkItem = z.infer<typeof WorkItem>;

/** Who speaks in a comment that an agent made with `trc` by itself. */
export const agentSource = "agent";

export const Comment = z.object({
  itemId: WorkItemId,
  content: z.string(),
  /** Who said it: `user`, or the name of an agent's role. */
  source: z.string(),
  createdAt: z.string(),
});
export type Comment = z.infer<typeof Comment>;

export const WorkItemDraft = z.object({
  title: z.string().min(1),
  description: z.string().default(""),
  priority: Priority.optional(),
  status: WorkItemStatus.optional(),
  parentId: WorkItemId.optional(),
  dependsOnId: WorkItemId.optional(),
});
export type WorkItemDraft = z.infer<typeof WorkItemDraft>;

/** What is absent stays. */
export const WorkItemChanges = WorkItemDraft.pick({ title: true, priority: true, status: true })
  .extend({ description: z.string() })
  .partial();
export type WorkItemChanges = z.infer<typeof WorkItemChanges>;
