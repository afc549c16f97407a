import { type Comment, type HumanInput, type LoopView, linksOf, type WorkItem } from "@ralpher/contract";
import type { SenseParts } from "./sense.ts";
import { othersChanges } from "./strategies/soda/others-changes.ts";

type Mark = NonNullable<LoopView["soda"]>["mark"];

/** What humans did to the work items; where agents noted what they did is looked at only when there is a question. */
export function othersOf(
  { changesByAgents }: Pick<SenseParts, "changesByAgents">,
  mark: Mark,
  items: WorkItem[],
  comments: Comment[],
): HumanInput[] {
  const found = othersChanges(mark, items, comments);
  return mark === null || found.length === 0
    ? found
    : othersChanges(mark, items, comments, changesByAgents(mark.cursor));
}

/** See the event `loop.sensed`. */
export function linksOfOpen(items: WorkItem[]): Record<string, string> {
  return Object.fromEntries(items.filter(({ status }) => status !== "closed").map((item) => [item.id, linksOf(item)]));
}
