import {
  blockedWord,
  type EventBody,
  type ItemChange,
  isFault,
  type TaskOutcome,
  type WorkItems,
} from "@ralpher/contract";
import { oneLine } from "../../one-line.ts";
import { ourSources } from "../../strategies/soda/others-changes.ts";
import { keyOf } from "../../strategies/soda/repeats.ts";
import type { Performer } from "../execution.ts";
import { changeOf } from "./change-of.ts";
import { requireOpen, requireSoda } from "./requires.ts";

const source = ourSources.executor;

/** Tell the work items how a task ended, and remember what was learned. Again after a crash: no harm. */
export const performSettle: Performer<"settle"> = async (execution, step, view) => {
  const { iteration, taskId, reason } = step;
  const { openWorkItems, projects, record } = execution;
  const { soda, workspace, project } = requireSoda(view);
  const task = requireOpen(view).progress.tasks.find(({ id }) => id === taskId);
  if (task === undefined) throw new Error(`${taskId} is no task of the plan`);
  const { new_subtasks = [], learnings = [], summary = "" } = task.report ?? {};
  await using items = openWorkItems(workspace.directory);
  const changes = new Changes(items, (change) =>
    record([{ type: "loop.items.changed", iteration, changes: [change] }]),
  );
  const isThere = (await items.require(taskId).catch(nullIfGone)) !== null;
  const outcome = isThere ? await settle() : step.outcome;
  const { added, warnings } = await projects.learn(
    project,
    learnings.map((text) => ({ text, action: "add" })),
  );
  const notes: EventBody[] = warnings.map((text) => ({ type: "loop.notice", iteration, text }));
  await record([
    ...notes,
    {
      type: "loop.task.end",
      iteration,
      taskId,
      outcome,
      changes: changes.made,
      learnings: added,
      ...(reason === null ? {} : { reason }),
    },
  ]);

  async function settle(): Promise<TaskOutcome> {
    const parentId = step.outcome === "completed" ? await parentOf(items, taskId) : taskId;
    const { items: known } = await items.snapshot(soda.root?.id ?? "");
    const titles = new Set(known.map(({ title }) => keyOf(title)));
    for (const { title, ...subtask } of new_subtasks) {
      const words = oneLine(title);
      if (words === "" || titles.has(keyOf(words))) continue;
      titles.add(keyOf(words));
      const { id } = await items.create({ ...subtask, title: words, parentId: parentId ?? soda.root?.id });
      await changes.note(id, "created");
    }
    const kept =
      typeof task?.saved === "object" && task.saved !== null ? ` What it changed is kept as ${task.saved.ref}.` : "";
    return await tell(items, changes, taskId, step.outcome, `${reason ?? summary}${kept}`);
  }
};

/** What became of it in the work items: a task with open ones below it is not through. */
async function tell(
  items: WorkItems,
  changes: Changes,
  id: string,
  outcome: TaskOutcome,
  words: string,
): Promise<TaskOutcome> {
  if (outcome === "completed") {
    // A process that died right here had closed it.
    const isClosed = (await items.require(id)).status === "closed";
    const { refused } = isClosed ? { refused: [] } : await items.close([id], { message: words, source });
    if (refused.length === 0) {
      await changes.note(id, "closed", words);
      return outcome;
    }
  }
  await items.update(id, { status: outcome === "blocked" ? "blocked" : "open" });
  const content = outcome === "blocked" ? `${blockedWord} ${words}` : words;
  const { comments } = await items.require(id);
  if (!comments.some((comment) => comment.content === content)) await items.comment(id, { content, source });
  await changes.note(id, outcome === "blocked" ? "blocked" : "commented", words);
  return outcome === "completed" ? "partial" : outcome;
}

function nullIfGone(error: unknown): null {
  if (isFault(error, "work_item_not_found")) return null;
  throw error;
}

async function parentOf(items: WorkItems, id: string): Promise<string | null> {
  const { dependencies } = await items.require(id);
  return dependencies.find(({ type }) => type === "parent")?.dependsOnId ?? null;
}

/** Writes down what was changed at once, with the items' new times: else a human would seem to have done it. */
class Changes {
  readonly made: ItemChange[] = [];
  readonly #items: WorkItems;
  readonly #record: (change: ItemChange) => Promise<unknown>;

  constructor(items: WorkItems, record: (change: ItemChange) => Promise<unknown>) {
    this.#items = items;
    this.#record = record;
  }

  async note(id: string, what: ItemChange["what"], note?: string): Promise<void> {
    const change = changeOf(await this.#items.require(id), what, note);
    this.made.push(change);
    await this.#record(change);
  }
}
