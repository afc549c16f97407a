import { type ItemChange, linksOf, type WorkItem } from "@ralpher/contract";

/** A change that was just made, with the item as it is now: else a human would seem to have made it. */
export function changeOf(item: WorkItem, what: ItemChange["what"], note?: string): ItemChange {
  const { id, title, updatedAt: at } = item;
  return {
    id,
    title,
    what,
    at,
    ...(note === undefined ? {} : { note }),
    ...(what === "created" ? { links: linksOf(item) } : {}),
  };
}
