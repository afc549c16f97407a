import { agentSource, type Comment, type HumanInput, type SodaView, type WorkItem } from "@ralpher/contract";

/** Who speaks in the work items for this loop. */
export const ourSources = { orient: "orient", executor: "executor", soda: "soda" } as const;
const ours = new Set<string>([...Object.values(ourSources), agentSource]);

/** What somebody else than this loop did to the work items since they were last looked at. */
export function othersChanges(mark: SodaView["mark"], items: WorkItem[], comments: Comment[]): HumanInput[] {
  // What was there before the first look is no news.
  if (mark === null) return [];
  const own = new Set(mark.own.map(({ id, at }) => `${id} ${at}`));
  const said = comments
    .filter(({ createdAt, source }) => createdAt > mark.cursor && !ours.has(source))
    .map(
      ({ itemId, source, content, createdAt }): HumanInput => ({
        type: "comment",
        content: source === "user" ? content : `${source}: ${content}`,
        task_id: itemId,
        timestamp: createdAt,
      }),
    );
  const changed = items
    .filter(({ id, updatedAt }) => updatedAt > mark.cursor && !own.has(`${id} ${updatedAt}`))
    // A comment changes nothing about its item in some versions, and its time in others.
    .filter(({ id, updatedAt }) => !comments.some(({ itemId, createdAt }) => itemId === id && createdAt === updatedAt))
    .map(
      ({ id, title, status, priority, createdAt, updatedAt }): HumanInput => ({
        type: "task_update",
        content: `${createdAt > mark.cursor ? "new" : "changed"}: "${title}" is ${status.replace("_", " ")}, priority ${priority}`,
        task_id: id,
        timestamp: updatedAt,
      }),
    );
  return [...said, ...changed].toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
}
