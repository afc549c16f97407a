import {
  blockedWord,
  type EventBody,
  type ItemChange,
  isFault,
  isRead,
  type Journal,
  type LoopId,
  type Orientation,
  type RefusedChange,
  type WorkItems,
} from "@ralpher/contract";
import { type CheckedChanges, checkChanges, checkTasks } from "../../strategies/soda/check-plan.ts";
import { ourSources } from "../../strategies/soda/others-changes.ts";
import type { Performer } from "../execution.ts";
import { changeOf } from "./change-of.ts";
import { requireClaims } from "./orient.ts";
import { requireSoda } from "./requires.ts";

/**
 * Write ORIENT's changes into the work items, as far as they make sense, and see which tasks of its plan can be done
 * (O-5 to O-7). Again after a crash: what is there already is not made twice.
 */
export const performPlan: Performer<"plan"> = async (
  { journal, openWorkItems, projects, record },
  { iteration },
  view,
) => {
  const { soda, project, workspace } = requireSoda(view);
  const rootId = soda.root?.id ?? "";
  const orientation = await requireOrientation(journal, view.id);
  const { project_state } = await requireClaims(journal, view.id);
  const repeats = isRead(project_state) ? project_state.repeats : [];
  await using items = openWorkItems(workspace.directory);
  const before = await items.snapshot(rootId);
  const checked = checkChanges(orientation, before.items, before.comments, repeats);
  const mark = { cursor: soda.mark?.cursor ?? "", own: new Set(soda.mark?.own.map(({ id }) => id)) };
  // What an earlier try did is no longer asked for in vain.
  const refusedNow = checked.refused.filter(({ what }) => !mark.own.has(what.split(" ")[1] ?? ""));
  const note = (change: ItemChange) => record([{ type: "loop.items.changed", iteration, changes: [change] }]);
  const writer = new Writer(items, rootId, mark.cursor, note);
  await writer.write(checked);

  const after = await items.snapshot(rootId);
  const investigations = checked.creations.filter(({ kind }) => kind === "investigation").map(({ ref }) => ref);
  const wanted = {
    iteration_plan: withFirst(orientation.iteration_plan, investigations),
    actionable_work_exists: orientation.actionable_work_exists || investigations.length > 0,
  };
  const { tasks, refused } = checkTasks(wanted, after.items, after.comments, writer.ids);
  const { warnings } = await projects.learn(project, orientation.learnings);
  const notes: EventBody[] = warnings.map((text) => ({ type: "loop.notice", iteration, text }));
  const intent = orientation.iteration_plan?.intent ?? tasks[0]?.title ?? "";
  await record([
    ...notes,
    {
      type: "loop.planned",
      iteration,
      plan:
        tasks.length === 0
          ? null
          : {
              intent,
              approach: orientation.iteration_plan?.approach ?? "",
              tasks: tasks.map(({ id, title }) => ({ id, title })),
            },
      actionable: wanted.actionable_work_exists && tasks.length > 0,
      changes: writer.changes,
      refused: [...refusedNow, ...writer.refused, ...refused],
    },
  ]);
};

/** An investigation that nobody planned comes first: without its answer the rest would fail again. */
function withFirst(plan: Orientation["iteration_plan"], refs: string[]): Orientation["iteration_plan"] {
  const missing = refs.filter((ref) => !plan?.tasks.includes(ref));
  if (missing.length === 0) return plan;
  return {
    intent: plan?.intent ?? "find out why there is no progress",
    approach: plan?.approach ?? "",
    tasks: [...missing, ...(plan?.tasks ?? [])],
  };
}

async function requireOrientation(journal: Journal, loopId: LoopId): Promise<Orientation> {
  const [oriented] = await journal.read({ loopId, types: ["loop.oriented"], newest: true, limit: 1 });
  if (oriented?.type !== "loop.oriented") throw new Error(`loop ${loopId} has no orientation`);
  return oriented.orientation;
}

const source = ourSources.orient;

/**
 * Does the changes one by one, and writes each down at once, so that nobody takes it for a human's. What the storage
 * refuses is a refused change, not a fault. `since`: what was said later than that may have been said by an earlier try.
 */
class Writer {
  readonly changes: ItemChange[] = [];
  readonly refused: RefusedChange[] = [];
  /** Ids by the names ORIENT gave. */
  readonly ids = new Map<string, string>();
  readonly #items: WorkItems;
  readonly #rootId: string;

  readonly #since: string;
  readonly #record: (change: ItemChange) => Promise<unknown>;

  constructor(items: WorkItems, rootId: string, since: string, record: (change: ItemChange) => Promise<unknown>) {
    this.#items = items;
    this.#rootId = rootId;
    this.#since = since;
    this.#record = record;
  }

  async write({ updates, creations }: CheckedChanges): Promise<void> {
    for (const update of updates) await this.#try(`${update.action} ${update.id}`, () => this.#update(update));
    for (const creation of creations) await this.#try(`create "${creation.title}"`, () => this.#create(creation));
  }

  async #update({ id, action, priority, comment }: CheckedChanges["updates"][number]): Promise<void> {
    const items = this.#items;
    switch (action) {
      case "close": {
        const { refused } = await items.close([id], { message: comment, source });
        const [first] = refused;
        if (first !== undefined) throw first.fault;
        return await this.#note(id, "closed", comment);
      }
      case "reopen":
        await items.reopen(id);
        await this.#say(id, `Reopened: ${comment}`);
        return await this.#note(id, "reopened", comment);
      case "block":
        await items.update(id, { status: "blocked" });
        await this.#say(id, `${blockedWord} ${comment}`);
        return await this.#note(id, "blocked", comment);
      case "unblock":
        await items.update(id, { status: "open" });
        await this.#say(id, `Unblocked: ${comment}`);
        return await this.#note(id, "unblocked", comment);
      case "reprioritise":
        await items.update(id, { priority });
        await this.#say(id, `Priority ${priority}: ${comment}`);
        return await this.#note(id, "reprioritised", comment);
      case "comment":
        await this.#say(id, comment);
        return await this.#note(id, "commented", comment);
    }
  }

  async #create({ ref, known, ...task }: CheckedChanges["creations"][number]): Promise<void> {
    const idOf = (name: string | undefined) => (name === undefined ? undefined : (this.ids.get(name) ?? name));
    if (known !== null) {
      this.ids.set(ref, known);
      return;
    }
    const { id } = await this.#items.create({
      title: task.title,
      description: task.description,
      priority: task.priority,
      parentId: idOf(task.parent) ?? this.#rootId,
      dependsOnId: idOf(task.depends_on),
    });
    this.ids.set(ref, id);
    await this.#note(id, "created");
  }

  async #say(id: string, content: string): Promise<void> {
    const { comments } = await this.#items.require(id);
    const isSaid = comments.some(
      (one) => one.createdAt > this.#since && one.source === source && one.content === content,
    );
    if (!isSaid) await this.#items.comment(id, { content, source });
  }

  async #note(id: string, what: ItemChange["what"], note?: string): Promise<void> {
    const change = changeOf(await this.#items.require(id), what, note);
    this.changes.push(change);
    await this.#record(change);
  }

  async #try(what: string, change: () => Promise<void>): Promise<void> {
    try {
      await change();
    } catch (error) {
      const known = isFault(error, "work_item_not_found") || isFault(error, "dependency_cycle");
      if (!known && !isFault(error, "dependency_exists") && !isFault(error, "open_children")) throw error;
      this.refused.push({ what, why: (error as Error).message });
    }
  }
}
