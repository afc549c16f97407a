import type { WorkBoard, WorkItem } from "@ralpher/contract";

export type ItemFilter = "open" | "ready" | "blocked" | "closed" | "all";

/** The filters in words, in the order they are offered. */
export const itemFilters: { filter: ItemFilter; label: string }[] = [
  { filter: "open", label: "Open" },
  { filter: "ready", label: "Ready" },
  { filter: "blocked", label: "Blocked" },
  { filter: "closed", label: "Closed" },
  { filter: "all", label: "All" },
];

/** A line of the tree. */
export interface TreeRow {
  item: WorkItem;
  depth: number;
  /** It has lines under it, shown or folded away. */
  hasChildren: boolean;
  folded: boolean;
  ready: boolean;
  /** Why nobody can work on it; null when somebody can. */
  blocked: string | null;
  comments: number;
  /** False: it is there only for the sake of what is under it. */
  matches: boolean;
}

type Items = Pick<WorkBoard, "items" | "ready" | "blocked" | "comments">;

const isOpen = ({ status }: WorkItem) => status !== "closed";

/** Does an item belong to what is looked for? */
function createMatch(board: Items, filter: ItemFilter, text: string): (item: WorkItem) => boolean {
  const ready = new Set(board.ready);
  const blocked = new Set(board.blocked.map(({ id }) => id));
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const kinds: Record<ItemFilter, (item: WorkItem) => boolean> = {
    all: () => true,
    open: isOpen,
    closed: (item) => !isOpen(item),
    ready: ({ id }) => ready.has(id),
    blocked: ({ id }) => blocked.has(id),
  };
  return (item) => {
    if (!kinds[filter](item)) return false;
    const haystack = `${item.id} ${item.title} ${item.description}`.toLowerCase();
    return words.every((word) => haystack.includes(word));
  };
}

/** How many items each filter shows. */
export function countItems(board: Items): Record<ItemFilter, number> {
  const of = (filter: ItemFilter) => board.items.filter(createMatch(board, filter, "")).length;
  return { open: of("open"), ready: of("ready"), blocked: of("blocked"), closed: of("closed"), all: of("all") };
}

/** The item it belongs to, if that is among these. */
export function parentOf(item: WorkItem): string | null {
  return item.dependencies.find(({ type }) => type === "parent")?.dependsOnId ?? null;
}

/**
 * The items as lines of a tree: those that match and, so that one sees where they belong, what they are under. Siblings
 * by whether they are open, by priority, then oldest first. An item that is its own ancestor, which an imported file can
 * bring, is shown once, at the top.
 */
export function treeRows(
  board: Items,
  { filter, text, folded }: { filter: ItemFilter; text: string; folded: ReadonlySet<string> },
): TreeRow[] {
  const byId = new Map(board.items.map((item) => [item.id, item]));
  const children = new Map<string | null, WorkItem[]>();
  for (const item of board.items) {
    const parent = parentOf(item);
    const under = parent !== null && byId.has(parent) ? parent : null;
    children.set(under, [...(children.get(under) ?? []), item]);
  }
  for (const siblings of children.values()) siblings.sort(compare);
  const matches = createMatch(board, filter, text);
  const ready = new Set(board.ready);
  const blocked = new Map(board.blocked.map(({ id, reason }) => [id, withTitles(reason, byId)]));
  const said = new Map<string, number>();
  for (const { itemId } of board.comments) said.set(itemId, (said.get(itemId) ?? 0) + 1);

  const seen = new Set<string>();
  const walk = (item: WorkItem, depth: number): TreeRow[] => {
    if (seen.has(item.id)) return [];
    seen.add(item.id);
    const under = (children.get(item.id) ?? []).flatMap((child) => walk(child, depth + 1));
    const own = matches(item);
    if (!own && under.length === 0) return [];
    const isFolded = under.length > 0 && folded.has(item.id);
    const row: TreeRow = {
      item,
      depth,
      hasChildren: under.length > 0,
      folded: isFolded,
      ready: ready.has(item.id),
      blocked: blocked.get(item.id) ?? null,
      comments: said.get(item.id) ?? 0,
      matches: own,
    };
    return [row, ...(isFolded ? [] : under)];
  };
  const tops = (children.get(null) ?? []).flatMap((item) => walk(item, 0));
  // Whoever was not reached is in a circle.
  const circles = board.items.filter(({ id }) => !seen.has(id)).flatMap((item) => walk(item, 0));
  return [...tops, ...circles];
}

/** Titles in the place of ids: people know items by those. */
export function withTitles(reason: string, byId: ReadonlyMap<string, WorkItem>): string {
  return reason.replace(/[\w.-]+-[0-9a-z]{6}\b/g, (id) => {
    const title = byId.get(id)?.title;
    return title === undefined ? id : `“${title}”`;
  });
}

function compare(a: WorkItem, b: WorkItem): number {
  const byState = Number(isOpen(b)) - Number(isOpen(a));
  return byState || a.priority - b.priority || (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0);
}
