import { type Comment, type WorkItem, type WorkState, whyBlocked } from "@ralpher/contract";

const mostComments = 10;

/** The items under a root, root first, and what was said of them, as SENSE claims them (S-WORK-1 to S-WORK-5). */
export function workStateOf(items: WorkItem[], comments: Comment[]): WorkState {
  const [root, ...tasks] = items;
  if (root === undefined) {
    return { root: null, open: [], blocked: [], closed: [], comments: [], note: "no root work item" };
  }
  const byId = new Map(items.map((item) => [item.id, item]));
  const open = tasks.filter(({ status }) => status !== "closed").toSorted(byUrgency);
  const why = new Map(open.map((task) => [task.id, whyBlocked(task, byId, comments)]));
  return {
    root: { id: root.id, title: root.title, status: root.status },
    open: open.map((task) => ({
      id: task.id,
      title: task.title,
      status: task.status,
      priority: task.priority,
      parent: parentOf(task, root.id),
      blocked: why.get(task.id) !== null,
    })),
    blocked: open.flatMap(({ id, title }) => {
      const reason = why.get(id) ?? null;
      return reason === null ? [] : [{ id, title, reason }];
    }),
    closed: tasks.filter(({ status }) => status === "closed").map(({ id, title }) => ({ id, title })),
    comments: comments.slice(-mostComments).map(({ itemId, source, content, createdAt }) => ({
      task_id: itemId,
      source,
      content,
      timestamp: createdAt,
    })),
    note: null,
  };
}

/** Most urgent first, then oldest. */
export function byUrgency(a: WorkItem, b: WorkItem): number {
  return a.priority - b.priority || (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0);
}

function parentOf({ dependencies }: WorkItem, rootId: string): string | null {
  const parent = dependencies.find(({ type }) => type === "parent")?.dependsOnId ?? null;
  return parent === rootId ? null : parent;
}
