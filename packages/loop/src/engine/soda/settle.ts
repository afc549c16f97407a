import { blockedWord, type EventBody, type ItemChange, type SodaTask, type WorkItems } from "@ralpher/contract";
import { ourSources } from "../../strategies/soda/others-changes.ts";
import { keyOf } from "../../strategies/soda/repeats.ts";
import type { Performer } from "../execution.ts";
import { requireOpen, requireSoda } from "./converse.ts";

const source = ourSources.executor;

/** Tell the work items how a task ended, and remember what was learned. Again after a crash: no harm. */
export const performSettle: Performer<"settle"> = async (execution, { iteration, taskId, outcome, reason }, view) => {
  const { openWorkItems, projects, record } = execution;
  const { soda, workspace, project } = requireSoda(view);
  const task = requireOpen(view).progress.tasks.find(({ id }) => id === taskId);
  const report = task?.report;
  if (task === undefined || report === null || report === undefined) throw new Error(`${taskId} has no report`);
  await using items = openWorkItems(workspace.directory);
  const changes = new Changes(items);
  const parentId = outcome === "completed" ? await parentOf(items, taskId) : taskId;
  const { items: known } = await items.snapshot(soda.root?.id ?? "");
  const titles = new Set(known.map(({ title }) => keyOf(title)));
  for (const subtask of report.new_subtasks.filter(({ title }) => !titles.has(keyOf(title)))) {
    const { id } = await items.create({ ...subtask, parentId: parentId ?? soda.root?.id });
    await changes.note(id, "created");
  }
  const kept = typeof task.saved === "object" && task.saved !== null ? ` They are kept as ${task.saved.ref}.` : "";
  await tell(items, changes, task, outcome, `${reason ?? report.summary}${kept}`);
  const { added, warnings } = await projects.learn(
    project,
    report.learnings.map((text) => ({ text, action: "add" })),
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
};

async function tell(
  items: WorkItems,
  changes: Changes,
  { id }: SodaTask,
  outcome: string,
  words: string,
): Promise<void> {
  if (outcome === "completed") {
    // A process that died right here had closed it.
    if ((await items.require(id)).status === "closed") return await changes.note(id, "closed", words);
    const { refused } = await items.close([id], { message: words, source });
    if (refused.length === 0) return await changes.note(id, "closed", words);
  }
  await items.update(id, { status: outcome === "blocked" ? "blocked" : "open" });
  const content = outcome === "blocked" ? `${blockedWord} ${words}` : words;
  const { comments } = await items.require(id);
  if (!comments.some((comment) => comment.content === content)) await items.comment(id, { content, source });
  await changes.note(id, outcome === "blocked" ? "blocked" : "commented", words);
}

async function parentOf(items: WorkItems, id: string): Promise<string | null> {
  const { dependencies } = await items.require(id);
  return dependencies.find(({ type }) => type === "parent")?.dependsOnId ?? null;
}

/** Keeps count of what was changed, with the items' new times. */
class Changes {
  readonly made: ItemChange[] = [];
  readonly #items: WorkItems;

  constructor(items: WorkItems) {
    this.#items = items;
  }

  async note(id: string, what: ItemChange["what"], note?: string): Promise<void> {
    const { title, updatedAt: at } = await this.#items.require(id);
    this.made.push({ id, title, what, at, ...(note === undefined ? {} : { note }) });
  }
}
