import type { Fault } from "../fault.ts";
import type {
  Comment,
  DependencyKind,
  Project,
  WorkItem,
  WorkItemChanges,
  WorkItemDraft,
  WorkItemId,
  WorkItemStatus,
} from "../work-item.ts";

/** Which project: absent is the folder's own, `any` is all, else its name or a path. */
export interface ProjectChoice {
  project?: string | undefined;
}

export interface WorkItemQuery extends ProjectChoice {
  /** Absent or null is every status. Words that are no status match nothing. */
  statuses?: string[] | null | undefined;
}

/** An item that nothing open blocks. */
export interface ReadyItem extends WorkItem {
  parents: { id: WorkItemId; title: string }[];
}

export interface WorkItemDetail extends WorkItem {
  /** Oldest first. */
  comments: Comment[];
  /** Oldest first. */
  children: WorkItem[];
  /** Titles of the items in `dependencies`. */
  titles: Record<WorkItemId, string>;
}

export interface WorkItemTree {
  item: WorkItem;
  children: WorkItemTree[];
}

/** What a root holds, as it was at one moment. */
export interface WorkSnapshot {
  /** The root, then everything below it: by priority, then oldest first. */
  items: WorkItem[];
  /** What was said about those, oldest first; the newest 200. */
  comments: Comment[];
  /** The latest time of any change or comment in the root's project: what comes after it is later. */
  cursor: string;
}

/** Of several items, those that could be closed were; the others say why not. */
export interface Closed {
  closed: WorkItem[];
  refused: { id: WorkItemId; fault: Fault }[];
}

/** A line of a JSONL file that could not be taken in whole. It is kept beside the file before that is written again. */
export interface LineProblem {
  path: string;
  /** From 1. */
  line: number;
  why: string;
}

export interface SyncReport {
  project: Project;
  /** The JSONL file of this folder; null when the project has none here. */
  path: string | null;
  created: number;
  updated: number;
  /** Lines of items that belong to other projects. */
  skipped: number;
  problems: LineProblem[];
}

export interface RepairReport {
  examined: number;
  /** Items whose id says another project than they are filed under. */
  contaminated: number;
  repaired: number;
  /** Contaminated items whose project is not known here. */
  orphaned: number;
  affected: { path: string; items: number }[];
}

/**
 * Work items as seen from one folder: that of a human's checkout, or of a loop's worktree; both share the items.
 *
 * Every change is one transaction under Trace's own lock, and is in the folder's `.trace/issues.jsonl` when the promise
 * resolves. A JSONL file that is newer than what was last read is taken in before anything else. Safe to use from many
 * processes at once. Every method may throw Faults `trace_busy`, `trace_unusable`, `trace_too_new`, `database_corrupt`
 * and `disk_full`; those about the folder's project `not_a_repository`; changes also `project_not_initialized`; those
 * that take ids `work_item_not_found`; those that take a project `project_unknown`.
 */
export interface WorkItems extends AsyncDisposable {
  /** Register the folder's project, and begin its JSONL file there unless `file` is false. Idempotent. */
  init(options?: { file?: boolean | undefined }): Promise<{ project: Project; path: string }>;
  project(choice?: ProjectChoice): Promise<Project>;

  /** By priority, then newest first. */
  list(query?: WorkItemQuery): Promise<WorkItem[]>;
  ready(query?: WorkItemQuery): Promise<ReadyItem[]>;
  require(id: WorkItemId): Promise<WorkItemDetail>;
  /** `maxDepth`: 0 is the item alone. Default 10. */
  tree(id: WorkItemId, maxDepth?: number): Promise<WorkItemTree>;
  /** What was said in the folder's project, oldest first; `after` is exclusive. */
  comments(query?: { after?: string | undefined }): Promise<Comment[]>;
  /** A root with its whole subtree, its comments and the cursor, read in one transaction (SENSE). */
  snapshot(rootId: WorkItemId): Promise<WorkSnapshot>;
  /**
   * For watching: a text that is another one whenever anything may have changed, in the database or in the folder's JSONL
   * file, whoever changed it. Cheap: looks at three files, opens no database. It may change without a reason. Never throws.
   */
  stamp(): string;

  /** @throws Fault `invalid_input`, `dependency_exists` (parent and blocker are the same) */
  create(draft: WorkItemDraft, choice?: ProjectChoice): Promise<WorkItem>;
  /** Sets what is given, whatever the item's children are like; `close` looks at those. @throws Fault `invalid_input` */
  update(id: WorkItemId, changes: WorkItemChanges): Promise<WorkItem>;
  /** `force` closes parents with open children too. `message` becomes a comment on each. */
  close(
    ids: WorkItemId[],
    options?: { force?: boolean | undefined; message?: string | undefined; source?: string | undefined },
  ): Promise<Closed>;
  reopen(id: WorkItemId, status?: Exclude<WorkItemStatus, "closed">): Promise<WorkItem>;
  comment(id: WorkItemId, comment: { content: string; source?: string | undefined }): Promise<Comment>;
  /** @throws Fault `dependency_cycle`, `dependency_exists` */
  reparent(id: WorkItemId, parentId: WorkItemId | null): Promise<WorkItem>;
  /** Again is no change. @throws Fault `dependency_cycle`, `dependency_exists` (of another type), `invalid_input` */
  addDependency(id: WorkItemId, dependsOnId: WorkItemId, type: DependencyKind): Promise<WorkItem>;
  /** Of one that is not there: no change. */
  removeDependency(id: WorkItemId, dependsOnId: WorkItemId): Promise<WorkItem>;
  /** The item gets a new id; what depends on it and its comments go with it. */
  move(id: WorkItemId, project: string): Promise<{ item: WorkItem; from: Project; to: Project }>;

  /** File items under the project that their ids say. */
  repair(options?: { project?: string | undefined; dryRun?: boolean | undefined }): Promise<RepairReport>;
  /** Take in the folder's JSONL file if it is newer, then write it. */
  sync(): Promise<SyncReport>;
}
