import { dependencyKinds, priorities, workItemStatuses } from "@ralpher/contract/work-item-words";

/** An item as a line of `.trace/issues.jsonl` holds it; the order of the keys is the file's. */
export interface ItemRecord {
  id: string;
  title: string;
  description: string | null;
  status: string | null;
  priority: number | null;
  created_at: string;
  updated_at: string;
  closed_at: string | null;
  dependencies: { depends_on_id: string; type: string }[];
  comments: { content: string; source: string; created_at: string }[];
}

/**
 * A line as Python's `json.dumps` writes it, without the line break: a blank after colons and commas, and everything
 * but printable ASCII escaped.
 */
export function renderLine(record: ItemRecord): string {
  return render(record).replace(/[\x7f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function render(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(render).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${render(member)}`);
  return `{${members.join(", ")}}`;
}

/** Read a line. A line that an item cannot be made of whole comes back as the reason. */
export function parseLine(line: string): ItemRecord | string {
  let read: unknown;
  try {
    read = JSON.parse(line);
  } catch {
    return "it is not JSON";
  }
  if (!isObject(read)) return "it is no object";
  const wrong = firstWrong(read);
  if (wrong !== null) return `${wrong} is missing or wrong`;
  // A half of a surrogate pair cannot be stored as text.
  if (!line.isWellFormed() || /\\u[dD][89a-fA-F]/.test(line)) {
    if (!allWellFormed(read)) return "it has text that is no Unicode";
  }
  return {
    id: read.id as string,
    title: read.title as string,
    description: read.description === undefined ? "" : (read.description as string | null),
    status: (read.status as string | undefined) ?? "open",
    priority: (read.priority as number | undefined) ?? priorities.usual,
    created_at: read.created_at as string,
    updated_at: read.updated_at as string,
    closed_at: (read.closed_at as string | null | undefined) ?? null,
    dependencies: (read.dependencies as ItemRecord["dependencies"] | undefined) ?? [],
    comments: (read.comments as ItemRecord["comments"] | undefined) ?? [],
  };
}

function firstWrong(read: Record<string, unknown>): string | null {
  for (const key of ["id", "title", "created_at", "updated_at"]) if (typeof read[key] !== "string") return key;
  for (const key of ["description", "closed_at"]) {
    if (!["string", "undefined"].includes(typeof read[key]) && read[key] !== null) return key;
  }
  const { status = "open", priority = priorities.usual, dependencies = [], comments = [] } = read;
  if (!(workItemStatuses as readonly unknown[]).includes(status)) return "status";
  if (!Number.isInteger(priority) || Number(priority) < priorities.least || Number(priority) > priorities.most) {
    return "priority";
  }
  const kinds: readonly unknown[] = dependencyKinds;
  const isDependency = (found: unknown) =>
    isObject(found) && typeof found.depends_on_id === "string" && kinds.includes(found.type);
  if (!Array.isArray(dependencies) || !dependencies.every(isDependency)) return "dependencies";
  const isComment = (found: unknown) =>
    isObject(found) && ["content", "source", "created_at"].every((key) => typeof found[key] === "string");
  if (!Array.isArray(comments) || !comments.every(isComment)) return "comments";
  return null;
}

function allWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(allWellFormed);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
