import type { DependencyKind, Priority, SyncReport, WorkItem, WorkItemChanges, WorkItems } from "@ralpher/contract";
import { workItemStatuses } from "@ralpher/contract/work-item-words";
import type { Done } from "./agents-notes.ts";
import type { ArgumentSpec, Arguments, OptionSpec } from "./arguments.ts";
import { refusalWords } from "./fault-words.ts";
import { detailLines, listLine, readyLines, second, treeLines } from "./item-words.ts";
import { commentRecord, toRecord, treeRecord } from "./records.ts";

/** What a command has to say, in words and as JSON. */
export interface Outcome {
  lines: string[];
  json: unknown;
  /** For standard error. */
  notes?: string[];
  code?: number;
  /** What was done to the items. */
  done?: Done;
}

export interface TrcCommand extends ArgumentSpec {
  summary: string;
  run(given: Arguments, items: WorkItems): Promise<Outcome>;
}

const project = (help: string): OptionSpec => ({ value: "NAME|PATH", help });
const anyProject = project("of this project; 'any' for all");
const id = { name: "ISSUE_ID" };
/** Whoever starts an agent says here who it is, so that what it says is told apart from what humans say. */
const ownSource = () => process.env.TRACE_SOURCE || undefined;

/** The first word, which the arguments were checked to have. */
const first = ({ words: [word = ""] }: Arguments) => word;
const secondWord = ({ words: [, word = ""] }: Arguments) => word;

const init: TrcCommand = {
  summary: "Begin to keep work items in this repository",
  words: [],
  options: {},
  async run(_, items) {
    const { project: made, path } = await items.init();
    return {
      lines: [
        `Initialized trace for project: ${made.name}`,
        `Project ID: ${made.id}`,
        `Path: ${made.path}`,
        `JSONL: ${path}`,
      ],
      json: { ...made, jsonl: path },
    };
  },
};

const create: TrcCommand = {
  summary: "Create an item",
  words: [{ name: "TITLE" }],
  options: {
    description: { value: "TEXT", required: true, help: "why, where, how to tell that it is done" },
    priority: { value: "0-4", help: "0 is critical, 4 is some day (default: 2)" },
    status: { value: "STATUS", help: `${workItemStatuses.join(", ")} (default: open)` },
    parent: { value: "ID", help: "the item it is a part of" },
    "depends-on": { value: "ID", help: "the item it waits for" },
    project: project("in this project instead of the folder's"),
    quiet: { short: "q", help: "print the id, nothing else" },
  },
  async run(given, items) {
    const [parentId, dependsOnId] = [given.text("parent"), given.text("depends-on")];
    const item = await items.create(
      {
        title: first(given),
        description: given.text("description") ?? "",
        priority: given.integer("priority") as Priority | undefined,
        status: given.text("status") as WorkItem["status"] | undefined,
        // The original takes an empty id for none.
        parentId: parentId || undefined,
        dependsOnId: dependsOnId || undefined,
      },
      { project: given.text("project") || undefined },
    );
    const lines = given.has("quiet") ? [item.id] : [`Created ${item.id}: ${item.title}`];
    if (parentId && !given.has("quiet")) lines.push(`  Parent: ${parentId}`);
    if (dependsOnId && !given.has("quiet")) lines.push(`  Depends-on: ${dependsOnId}`);
    return { lines, json: toRecord(item), done: { changed: [item], relinked: [item] } };
  },
};

const list: TrcCommand = {
  summary: "List items",
  words: [],
  options: {
    project: anyProject,
    status: {
      value: "STATUS",
      many: true,
      help: "with this status; again for more; 'any' for all (default: not closed)",
    },
  },
  async run(given, items) {
    const asked = given.texts("status");
    const statuses =
      asked.length === 0
        ? workItemStatuses.filter((status) => status !== "closed")
        : asked.length === 1 && asked[0] === "any"
          ? null
          : asked;
    const found = await items.list({ project: given.text("project"), statuses });
    return {
      lines: found.length === 0 ? ["No issues found"] : found.map(listLine),
      json: found.map(toRecord),
      notes: strangeStatuses(asked),
    };
  },
};

const ready: TrcCommand = {
  summary: "List items that nothing open blocks",
  words: [],
  options: {
    project: anyProject,
    status: { value: "STATUS", help: "with this status; 'any' for all (default: open)" },
  },
  async run(given, items) {
    const status = given.text("status") ?? "open";
    const query = { project: given.text("project"), statuses: status === "any" ? null : [status] };
    const found = await items.ready(query);
    const json = found.map(({ parents, ...item }) => ({ ...toRecord(item), parents }));
    const notes = strangeStatuses([status]);
    if (found.length > 0)
      return { lines: ["Ready work (not blocked):", "", ...found.flatMap(readyLines)], json, notes };
    const areBlocked = (await items.list(query)).length > 0;
    return { lines: [areBlocked ? "No ready work (all issues are blocked)" : "No open issues found"], json, notes };
  },
};

function strangeStatuses(asked: string[]): string[] {
  const known: string[] = [...workItemStatuses, "any"];
  return asked
    .filter((status) => !known.includes(status))
    .map((status) => `No item ever has status ${status}; there are ${workItemStatuses.join(", ")}.`);
}

const show: TrcCommand = {
  summary: "Show an item",
  words: [id],
  options: {},
  async run(given, items) {
    const item = await items.require(first(given));
    const { comments, children } = item;
    const json = { ...toRecord(item), comments: comments.map(commentRecord), children: children.map(toRecord) };
    return { lines: detailLines(item), json };
  },
};

const close: TrcCommand = {
  summary: "Close items",
  words: [{ name: "ISSUE_ID", many: true }],
  options: {
    force: { help: "also when children are open" },
    message: { short: "m", value: "TEXT", help: "say why; it becomes a comment" },
  },
  async run(given, items) {
    const { closed, refused } = await items.close(given.words, {
      force: given.has("force"),
      message: given.text("message"),
      source: ownSource(),
    });
    return {
      lines: [
        ...refused.map((refusal) => `Warning: ${refusalWords(refusal.id, refusal.fault)}`),
        ...closed.map((item) => `Closed ${item.id}: ${item.title}`),
      ],
      json: {
        closed: closed.map(toRecord),
        refused: refused.map((refusal) => ({ id: refusal.id, ...refusal.fault.toJSON() })),
      },
      code: closed.length === 0 && refused.length > 0 ? 1 : 0,
      done: { changed: closed },
    };
  },
};

const tree: TrcCommand = {
  summary: "Show an item and what it was broken into",
  words: [id],
  options: { "max-depth": { value: "N", help: "so many levels below it (default: 10)" } },
  async run(given, items) {
    const depth = given.integer("max-depth");
    if (depth !== undefined && depth < 0) return { lines: [], json: null };
    const found = await items.tree(first(given), depth);
    return { lines: treeLines(found), json: treeRecord(found) };
  },
};

const update: TrcCommand = {
  summary: "Change an item",
  words: [id],
  options: {
    title: { value: "TEXT", help: "new title" },
    description: { value: "TEXT", help: "new description" },
    priority: { value: "0-4", help: "new priority" },
    status: { value: "STATUS", help: workItemStatuses.join(", ") },
  },
  async run(given, items) {
    const given4 = {
      title: given.text("title"),
      description: given.text("description"),
      priority: given.integer("priority"),
      status: given.text("status"),
    };
    const item = await items.update(first(given), given4 as WorkItemChanges);
    const lines = [`Updated ${item.id}:`];
    if (given4.title) lines.push(`  Title: ${item.title}`);
    if (given4.description !== undefined) lines.push(`  Description: ${item.description}`);
    if (given4.priority !== undefined) lines.push(`  Priority: ${item.priority}`);
    if (given4.status) lines.push(`  Status: ${item.status}`);
    return { lines, json: toRecord(item), done: { changed: [item] } };
  },
};

const comment: TrcCommand = {
  summary: "Say something about an item",
  words: [id, { name: "TEXT" }],
  options: { source: { value: "WHO", help: "who says it (default: $TRACE_SOURCE, else user)" } },
  async run(given, items) {
    const source = given.text("source") ?? ownSource();
    const said = await items.comment(first(given), { content: secondWord(given), source });
    return {
      lines: [`Added comment to ${said.itemId}:`, `  [${second(said.createdAt)}] ${said.source}: ${said.content}`],
      json: { issue_id: said.itemId, ...commentRecord(said) },
      done: { said: [said] },
    };
  },
};

const reparent: TrcCommand = {
  summary: "Make an item a part of another",
  words: [id, { name: "NEW_PARENT_ID|none" }],
  options: {},
  async run(given, items) {
    const parent = secondWord(given).toLowerCase() === "none" ? null : secondWord(given);
    const item = await items.reparent(first(given), parent);
    const line = parent === null ? `Removed parent from ${item.id}` : `Reparented ${item.id} to ${parent}`;
    return { lines: [line], json: toRecord(item), done: { relinked: [item] } };
  },
};

const addDependency: TrcCommand = {
  summary: "Make an item depend on another",
  words: [id, { name: "DEPENDS_ON_ID" }],
  options: { type: { value: "TYPE", help: "blocks, parent or related (default: blocks)" } },
  async run(given, items) {
    const type = (given.text("type") ?? "blocks") as DependencyKind;
    const [from, to] = [first(given), secondWord(given)];
    const item = await items.addDependency(from, to, type);
    const lines = {
      blocks: `${from} is blocked by ${to}`,
      parent: `Set ${to} as parent of ${from}`,
      related: `Linked ${from} <-> ${to} (related)`,
    };
    return { lines: [lines[type]], json: toRecord(item), done: { relinked: [item] } };
  },
};

const move: TrcCommand = {
  summary: "Move an item to another project, where it gets a new id",
  words: [id, { name: "TARGET_PROJECT" }],
  options: {},
  async run(given, items) {
    const { item, from, to } = await items.move(first(given), secondWord(given));
    return {
      lines: [
        `Moved ${first(given)} → ${item.id}`,
        `  From: ${from.id} (${from.path})`,
        `  To:   ${to.id} (${to.path})`,
      ],
      json: { moved: first(given), ...toRecord(item) },
      done: { changed: [item], relinked: [item], gone: [first(given)] },
    };
  },
};

const repair: TrcCommand = {
  summary: "File items under the project that their ids say",
  words: [],
  options: {
    project: { ...project("only those filed under this project"), short: "p" },
    "dry-run": { help: "only say what would be done" },
  },
  async run(given, items) {
    const dryRun = given.has("dry-run");
    const { affected, ...counts } = await items.repair({ project: given.text("project") || undefined, dryRun });
    const json = { ...counts, affected_projects: affected.map(({ path }) => path) };
    const lines = dryRun ? ["Dry run - no changes made", ""] : [];
    lines.push(`Examined: ${counts.examined} issues`, `Contaminated: ${counts.contaminated} issues`, "");
    if (counts.contaminated === 0) return { lines: [...lines, "No contamination found."], json };
    lines.push(`${dryRun ? "Would repair" : "Repaired"}: ${counts.repaired} issues`);
    if (counts.orphaned > 0) lines.push(`Orphaned (no matching project): ${counts.orphaned} issues`);
    if (dryRun) return { lines: [...lines, "", "Run 'trc repair' without --dry-run to apply changes."], json };
    lines.push("", "Re-exporting affected projects:");
    for (const { path, items: count } of affected) lines.push(`  - ${path}/.trace/issues.jsonl (${count} issues)`);
    return { lines: [...lines, "", "Commit the updated .trace/issues.jsonl files to git."], json };
  },
};

const sync: TrcCommand = {
  summary: "Take in .trace/issues.jsonl if it is newer, then write it",
  words: [],
  options: {},
  async run(_, items) {
    const { project: synced, path, created, updated, skipped, problems } = await items.sync();
    return {
      lines: [`Synced ${synced.name}: ${syncWords({ created, updated, skipped, problems })}`],
      json: { project_id: synced.id, jsonl: path, created, updated, skipped, errors: problems.length },
    };
  },
};

function syncWords({ created, updated, skipped, problems }: Omit<SyncReport, "project" | "path">): string {
  const errors = problems.length;
  return `${created} created, ${updated} updated, ${skipped} skipped, ${errors} ${errors === 1 ? "error" : "errors"}`;
}

const guide: TrcCommand = {
  summary: "Print what to tell agents about work items",
  words: [],
  options: {},
  async run() {
    const { guide: text } = await import("./guide.ts");
    return { lines: text.split("\n"), json: { guide: text } };
  },
};

export const commands: Record<string, TrcCommand> = {
  init,
  create,
  list,
  ready,
  show,
  tree,
  update,
  comment,
  close,
  reparent,
  move,
  "add-dependency": addDependency,
  repair,
  sync,
  guide,
};
