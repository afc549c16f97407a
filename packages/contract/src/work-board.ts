import { z } from "zod";
import { Comment, Project, WorkItem, WorkItemId } from "./work-item.ts";

/** The work items of a project, or those below one root, as a person looks at them: GET /api/work-items. */
export const WorkBoard = z.object({
  project: Project,
  /** In every status. Of a root: the root first. */
  items: z.array(WorkItem),
  /** Those that can be begun: open, and nothing open blocks them. */
  ready: z.array(WorkItemId),
  /** Those not closed that nobody can work on now, and why. */
  blocked: z.array(z.object({ id: WorkItemId, reason: z.string() })),
  /** The newest 200, oldest first. */
  comments: z.array(Comment),
  /** Another text when anything may have changed since. */
  stamp: z.string(),
});
export type WorkBoard = z.infer<typeof WorkBoard>;

/** What a comment begins with that says why its item is blocked. */
export const blockedWord = "Blocked:";

/**
 * Why nobody can work on this item now; null when somebody can. What is not in `byId` is not waited for, as far as can be
 * seen. `comments` oldest first, of any items.
 */
export function whyBlocked(item: WorkItem, byId: Map<string, WorkItem>, comments: Comment[]): string | null {
  const waitsFor = item.dependencies
    .filter(({ type, dependsOnId }) => {
      const other = byId.get(dependsOnId);
      return type === "blocks" && other !== undefined && other.status !== "closed";
    })
    .map(({ dependsOnId }) => dependsOnId);
  if (waitsFor.length > 0) return `waits for ${waitsFor.join(", ")}`;
  if (item.status !== "blocked") return null;
  const own = comments.filter(({ itemId }) => itemId === item.id);
  const told = own.findLast(({ content }) => content.startsWith(blockedWord));
  return told?.content.slice(blockedWord.length).trim() ?? own.at(-1)?.content ?? "nobody said why";
}
