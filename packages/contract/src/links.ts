import type { WorkItem } from "./work-item.ts";

/** What an item belongs to, waits for and is related to, as one text to compare. Apart, for `trc` does without Zod. */
export function linksOf({ dependencies }: Pick<WorkItem, "dependencies">): string {
  return dependencies
    .map(({ type, dependsOnId }) => `${type} ${dependsOnId}`)
    .toSorted()
    .join(", ");
}
