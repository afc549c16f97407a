import {
  agentSource,
  type Comment,
  type HumanInput,
  linksOf,
  type OwnChange,
  type SodaView,
  type WorkItem,
  type WorkItemMark,
} from "@ralpher/contract";

/** Who speaks in the work items for this loop. */
export const ourSources = { orient: "orient", executor: "executor", soda: "soda" } as const;
const ours = new Set<string>([...Object.values(ourSources), agentSource]);

/**
 * What humans did to the work items since they were last looked at. An item does not say who changed it; so what this loop
 * did is in the mark, and what agents did by themselves is given.
 */
export function othersChanges(
  mark: SodaView["mark"],
  items: WorkItem[],
  comments: Comment[],
  byAgents: OwnChange[] = [],
): HumanInput[] {
  // What was there before the first look is no news.
  if (mark === null) return [];
  const known = [...mark.own, ...byAgents];
  const own = new Set(known.map(({ id, at }) => `${id} ${at}`));
  const made = new Set(known.map(({ id }) => id));
  const said = comments
    .filter(({ createdAt, source }) => createdAt > mark.cursor && !ours.has(source))
    .filter(({ itemId, createdAt }) => !own.has(`${itemId} ${createdAt}`))
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
        content: `${createdAt > mark.cursor && !made.has(id) ? "new" : "changed"}: "${title}" is ${status.replace("_", " ")}, priority ${priority}`,
        task_id: id,
        timestamp: updatedAt,
      }),
    );
  return [...said, ...changed, ...relinked(mark, byAgents, items)].toSorted((a, b) =>
    a.timestamp < b.timestamp ? -1 : 1,
  );
}

/** Where an item belongs and what it waits for changes without a trace of when: it is compared with what was last seen. */
function relinked({ cursor, links, own }: WorkItemMark, byAgents: OwnChange[], items: WorkItem[]): HumanInput[] {
  if (links === undefined || links === null) return [];
  const expected = new Map<string, Set<string | null>>();
  const expect = (id: string, known: string | null | undefined) => {
    if (known !== undefined) expected.set(id, new Set([...(expected.get(id) ?? []), known]));
  };
  for (const [id, seen] of Object.entries(links)) expect(id, seen);
  for (const change of own) expect(change.id, change.links);
  const inMilestone = [...expected.keys()];
  // Agents' notes are of all milestones.
  for (const change of byAgents) expect(change.id, change.links);
  const told = (id: string, content: string, timestamp: string): HumanInput[] => [
    { type: "task_update", content, task_id: id, timestamp },
  ];
  const here = new Set(items.map(({ id }) => id));
  const gone = inMilestone.filter((id) => !here.has(id) && expected.get(id)?.has(null) !== true);
  return [
    ...gone.flatMap((id) => told(id, `${id} is no longer among the milestone's tasks`, cursor)),
    ...items.flatMap((item) => {
      const { id, title, status, createdAt, updatedAt } = item;
      const known = expected.get(id);
      if (known !== undefined) {
        return known.has(linksOf(item)) ? [] : told(id, `changed: "${title}" ${linkWords(item)}`, updatedAt);
      }
      // Not seen before, though it is old: closed ones were not looked at, and changes and new ones show by their time.
      const isNew = status !== "closed" && createdAt <= cursor && updatedAt <= cursor;
      return isNew ? told(id, `now among the milestone's tasks: "${title}" ${linkWords(item)}`, updatedAt) : [];
    }),
  ];
}

const relation = { parent: "is part of", blocks: "waits for", related: "is related to" } as const;

function linkWords({ dependencies }: WorkItem): string {
  const words = dependencies.map(({ type, dependsOnId }) => `${relation[type]} ${dependsOnId}`);
  return words.length === 0 ? "belongs to nothing and waits for nothing" : words.join(", ");
}
