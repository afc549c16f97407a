import {
  type Comment,
  type NewTask,
  type Orientation,
  type RefusedChange,
  type Repeat,
  type TaskUpdate,
  type WorkItem,
  whyBlocked,
} from "@ralpher/contract";
import { oneLine } from "../../one-line.ts";
import { keyOf } from "./repeats.ts";

/** What ORIENT asked for, as far as it makes sense: in an order in which it can be done. */
export interface CheckedChanges {
  updates: TaskUpdate[];
  /** Parents and blockers come before what hangs on them. `known`: the open item that says the same. */
  creations: (NewTask & { known: string | null })[];
  refused: RefusedChange[];
}

/**
 * Which of ORIENT's changes to make: unknown ids, transitions that are none, and cycles are refused, each with a reason
 * for people. `items`: the root's whole subtree, root first. Pure.
 */
export function checkChanges(
  orientation: Pick<Orientation, "task_updates" | "new_tasks">,
  items: WorkItem[],
  comments: Comment[],
  repeats: Repeat[],
): CheckedChanges {
  const byId = new Map(items.map((item) => [item.id, item]));
  const refused: RefusedChange[] = [];
  const closing = new Set(orientation.task_updates.filter(({ action }) => action === "close").map(({ id }) => id));
  const updates = orientation.task_updates.filter((update) => {
    const why = againstUpdate(update, byId, comments, closing);
    if (why !== null) refused.push({ what: `${update.action} ${update.id}`, why });
    return why === null;
  });
  const wanted = [...orientation.new_tasks, ...investigations(repeats, orientation.new_tasks, items)];
  const creations = checkCreations(wanted, items, refused);
  return { updates, creations, refused };
}

function againstUpdate(
  { id, action, priority }: TaskUpdate,
  byId: Map<string, WorkItem>,
  comments: Comment[],
  closing: Set<string>,
): string | null {
  const item = byId.get(id);
  if (item === undefined) return "there is no such task in this milestone";
  const isRoot = [...byId.keys()][0] === id;
  if (isRoot && action !== "comment") return "it is the milestone itself";
  switch (action) {
    case "close": {
      if (item.status === "closed") return "it is closed already";
      const open = [...byId.values()].filter(
        (child) => child.status !== "closed" && !closing.has(child.id) && isChild(child, id),
      );
      return open.length === 0 ? null : `it has open tasks below it: ${open.map((child) => child.id).join(", ")}`;
    }
    case "reopen":
      return item.status === "closed" ? null : "it is not closed";
    case "block":
      return item.status === "closed" ? "it is closed" : item.status === "blocked" ? "it is blocked already" : null;
    case "unblock": {
      const why = whyBlocked(item, byId, comments);
      if (item.status === "blocked") return null;
      return why === null ? "nothing blocks it" : `it ${why}, which has to be closed first`;
    }
    case "reprioritise":
      if (priority === undefined) return "no priority was given";
      return priority === item.priority ? "it has that priority already" : null;
    case "comment":
      return null;
  }
}

function isChild({ dependencies }: WorkItem, parentId: string): boolean {
  return dependencies.some(({ type, dependsOnId }) => type === "parent" && dependsOnId === parentId);
}

/** What comes back without progress is looked into, once, though ORIENT may not have thought of it (O-7). */
function investigations(repeats: Repeat[], asked: NewTask[], items: WorkItem[]): NewTask[] {
  if (asked.some(({ kind }) => kind === "investigation")) return [];
  const known = new Set(items.map(({ title }) => keyOf(title)));
  return repeats
    .map(
      ({ kind, what, times }, index): NewTask => ({
        ref: `investigate-${index + 1}`,
        title: `Investigate: ${kind === "intent" ? "no progress with" : `${kind} keeps failing:`} ${what}`.slice(
          0,
          300,
        ),
        description: `It came back ${times} times without progress. Find out why: read, reproduce, and write down what is the case and what to do, as tasks. Change no behaviour yet.`,
        priority: 1,
        kind: "investigation",
      }),
    )
    .filter(({ title }) => !known.has(keyOf(title)))
    .slice(0, 1);
}

function checkCreations(wanted: NewTask[], items: WorkItem[], refused: RefusedChange[]): CheckedChanges["creations"] {
  const ids = new Set(items.map(({ id }) => id));
  // The root may be called like a task of it.
  const tasks = items.slice(1).filter(({ status }) => status !== "closed");
  const open = new Map(tasks.map(({ id, title }) => [keyOf(title), id]));
  const titles = new Set<string>();
  const parents = new Map(items.map((item) => [item.id, parentsOf(item)[0] ?? null]));
  const byRef = new Map<string, NewTask>();
  const refuse = (task: NewTask, why: string) => refused.push({ what: `create "${task.title}"`, why });
  for (const { title, ...rest } of wanted) {
    const task = { ...rest, title: oneLine(title) };
    if (task.title === "") refuse(task, "it has no title");
    else if (byRef.has(task.ref) || ids.has(task.ref)) refuse(task, `the name ${task.ref} is taken`);
    else if (titles.has(keyOf(task.title))) refuse(task, "it is asked for twice");
    else byRef.set(task.ref, task);
    titles.add(keyOf(task.title));
  }
  /** Is it above? Whoever is below something cannot wait for it: that is done only when all below it is. */
  const isAbove = (name: string, parent: string | null | undefined): boolean => {
    for (let at = parent ?? items[0]?.id ?? null, steps = 0; at !== null && steps < 1_000; steps++) {
      if (at === name) return true;
      const made = byRef.get(at);
      at = made === undefined ? (parents.get(at) ?? null) : (made.parent ?? items[0]?.id ?? null);
    }
    return false;
  };
  const made: CheckedChanges["creations"] = [];
  const done = new Set<string>();
  const visit = (task: NewTask, above: string[]): boolean => {
    if (done.has(task.ref)) return made.some(({ ref }) => ref === task.ref);
    if (above.includes(task.ref)) return false;
    for (const name of [task.parent, task.depends_on]) {
      if (name === undefined || ids.has(name)) continue;
      const other = byRef.get(name);
      const path = [...above, task.ref];
      if (other !== undefined && visit(other, path)) continue;
      done.add(task.ref);
      refuse(
        task,
        other === undefined
          ? `there is no task ${name}`
          : `it and ${name} would wait for each other, or ${name} was refused`,
      );
      return false;
    }
    if (task.depends_on !== undefined && isAbove(task.depends_on, task.parent)) {
      done.add(task.ref);
      refuse(task, `it is below ${task.depends_on}, and cannot wait for it`);
      return false;
    }
    done.add(task.ref);
    made.push({ ...task, known: open.get(keyOf(task.title)) ?? null });
    return true;
  };
  for (const task of byRef.values()) visit(task, []);
  return made;
}

const mostPicked = 3;
/** ORIENT is told so; more than that is for the next iteration, which sees what came of these. */
const mostPlanned = 5;

/**
 * The tasks of the plan that can be done now, as ids. When ORIENT sees work but its plan names none that can be done, the
 * most urgent ones that can. `refs`: ids of the tasks ORIENT named itself. Pure.
 */
export function checkTasks(
  orientation: Pick<Orientation, "iteration_plan" | "actionable_work_exists">,
  items: WorkItem[],
  comments: Comment[],
  refs: Map<string, string>,
): { tasks: WorkItem[]; refused: RefusedChange[] } {
  const byId = new Map(items.map((item) => [item.id, item]));
  const rootId = items[0]?.id;
  const refused: RefusedChange[] = [];
  const tasks: WorkItem[] = [];
  for (const name of new Set(orientation.iteration_plan?.tasks ?? [])) {
    const item = byId.get(refs.get(name) ?? name);
    const why = againstTask(item, rootId, byId, comments);
    if (why !== null || item === undefined) refused.push({ what: `plan ${name}`, why: why ?? "there is no such task" });
    else if (tasks.length >= mostPlanned) refused.push({ what: `plan ${name}`, why: "one iteration has enough to do" });
    else if (!tasks.includes(item)) tasks.push(item);
  }
  if (tasks.length > 0 || !orientation.actionable_work_exists) return { tasks, refused };
  const parents = new Set(items.flatMap((item) => (item.status === "closed" ? [] : parentsOf(item))));
  const ready = items
    .filter((item) => againstTask(item, rootId, byId, comments) === null && !parents.has(item.id))
    .toSorted((a, b) => a.priority - b.priority);
  return { tasks: ready.slice(0, mostPicked), refused };
}

function againstTask(
  item: WorkItem | undefined,
  rootId: string | undefined,
  byId: Map<string, WorkItem>,
  comments: Comment[],
): string | null {
  if (item === undefined) return "there is no such task in this milestone";
  if (item.id === rootId) return "it is the milestone itself";
  if (item.status === "closed") return "it is closed";
  const why = whyBlocked(item, byId, comments);
  return why === null ? null : `it is blocked: ${why}`;
}

function parentsOf({ dependencies }: WorkItem): string[] {
  return dependencies.filter(({ type }) => type === "parent").map(({ dependsOnId }) => dependsOnId);
}
