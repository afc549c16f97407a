/** Where a repository keeps its work items (Trace): one JSON object a line, sorted by id. */
export const itemsPath = ".trace/issues.jsonl";

/** What the merge must know of an item; the rest of a line is carried along as it is. */
interface Item {
  id: string;
  updated_at: string;
  comments?: Comment[];
}

interface Comment {
  content: string;
  source: string;
  created_at: string;
}

/**
 * One file of work items from two that went apart: every item of either side. Where both have it, the one that was
 * updated later counts (ours when neither was), with the comments of both. Null when a side has a line that is no item:
 * then a human must look.
 */
export function mergeItems(ours: string, theirs: string): string | null {
  const lines = readItems(ours);
  const others = readItems(theirs);
  if (lines === null || others === null) return null;
  for (const [id, other] of others) {
    const line = lines.get(id);
    lines.set(id, line === undefined ? other : mergeItem(line, other));
  }
  const ids = [...lines.keys()].sort((one, another) => (one < another ? -1 : 1));
  return ids.map((id) => `${lines.get(id)}\n`).join("");
}

/** Lines by id. */
function readItems(text: string): Map<string, string> | null {
  // Bytes that are no text were lost when it was read.
  if (text.includes("\ufffd")) return null;
  const items = new Map<string, string>();
  for (const line of text.split("\n").map((untrimmed) => untrimmed.trim())) {
    if (line === "") continue;
    const item = findItem(line);
    if (item === null || items.has(item.id)) return null;
    items.set(item.id, line);
  }
  return items;
}

function findItem(line: string): Item | null {
  try {
    const read = JSON.parse(line);
    const { comments = [] } = read;
    return typeof read.id === "string" && typeof read.updated_at === "string" && Array.isArray(comments) ? read : null;
  } catch {
    return null;
  }
}

function mergeItem(line: string, other: string): string {
  if (line === other) return line;
  const [ours, theirs]: [Item, Item] = [JSON.parse(line), JSON.parse(other)];
  const isTheirs = isLater(theirs.updated_at, ours.updated_at);
  const [newer, older] = isTheirs ? [theirs, ours] : [ours, theirs];
  const known = new Set(newer.comments?.map((comment) => render(comment)));
  const missing = (older.comments ?? []).filter((comment) => !known.has(render(comment)));
  // A line that is one of the sides' stays that to the letter.
  if (missing.length === 0) return isTheirs ? other : line;
  const comments = [...(newer.comments ?? []), ...missing];
  comments.sort((one, another) => (isLater(one.created_at, another.created_at) ? 1 : -1));
  return escapeAll(render({ ...newer, comments }));
}

/** Times are of microseconds; a text that has none is compared as such. */
function isLater(one: string, other: string): boolean {
  const difference = Date.parse(one) - Date.parse(other);
  return Number.isNaN(difference) || difference === 0 ? one > other : difference > 0;
}

/** As Python's `json.dumps` writes it: a blank after colons and commas. */
function render(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(render).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${render(member)}`);
  return `{${members.join(", ")}}`;
}

/** … and everything but printable ASCII escaped. */
function escapeAll(text: string): string {
  return text.replace(/[\x7f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
