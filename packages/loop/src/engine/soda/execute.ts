import { isRead, type LoopView, type SodaTask, TaskReport, type WorkItems, whyBlocked } from "@ralpher/contract";
import { type ExecuteGround, executePrompts, mendPrompts } from "../../strategies/soda/prompts/execute.ts";
import { converse } from "../converse.ts";
import type { Execution, Performer } from "../execution.ts";
import { requireClaims } from "./orient.ts";
import { requireOpen, requireSoda } from "./requires.ts";

/** Have an agent do a task, between questions before and after; a later round mends what got worse. */
export const performExecute: Performer<"execute"> = async (execution, step, view) => {
  const { iteration, attempt, taskId, round, said } = step;
  const task = requireTask(view, taskId);
  if (round === 1 && attempt === 1 && !(await begin(execution, view, task, iteration))) return;
  const ground = await groundOf(execution, view, task, said);
  const mends = round > 1 && task.regression !== null;
  const prompts = mends
    ? mendPrompts(ground, task, task.regression ?? { tests: [], note: null })
    : executePrompts(ground);
  const wanted = {
    iteration,
    attempt,
    role: "executor" as const,
    taskId,
    agentType: "bookend" as const,
    title: `${view.config.name}, iteration ${iteration}: ${task.title}`,
    prompt: prompts.setUp,
    said,
  };
  await converse(execution, view, wanted, async (ask) => {
    await ask(prompts.setUp);
    await ask(prompts.work);
    const { output: report } = await ask(prompts.wrapUp, TaskReport);
    return [{ type: "loop.task.reported", iteration, taskId, report }];
  });
};

function requireTask(view: LoopView, taskId: string): SodaTask {
  const task = requireOpen(view).progress.tasks.find(({ id }) => id === taskId);
  if (task === undefined) throw new Error(`${taskId} is no task of the plan`);
  return task;
}

async function groundOf(
  { openWorkItems, projects, journal }: Execution,
  view: LoopView,
  { id, title }: SodaTask,
  said: number[],
): Promise<ExecuteGround> {
  const { workspace, project } = requireSoda(view);
  const { progress } = requireOpen(view);
  const [claims, memory, item] = await Promise.all([
    requireClaims(journal, view.id),
    projects.memory(project),
    readItem(openWorkItems(workspace.directory), id),
  ]);
  return {
    spec: view.config.prompt,
    plan: progress.plan ?? { intent: title, approach: "" },
    task: { id, title, description: item.description, comments: item.comments },
    baseline: progress.baseline ?? { kind: "none" },
    memory,
    hasCode: !isRead(claims.survey) || claims.survey.has_code,
    said: view.said.filter(({ seq }) => said.includes(seq)).map(({ text }) => text),
  };
}

async function readItem(opened: WorkItems, id: string) {
  await using items = opened;
  return await items.require(id);
}

/**
 * Whoever looks at the work items sees what is being worked on. A task that somebody took away, closed or blocked since
 * the plan is left to the next iteration: false.
 */
async function begin(execution: Execution, view: LoopView, { id }: SodaTask, iteration: number): Promise<boolean> {
  const { openWorkItems, record } = execution;
  const { soda, workspace } = requireSoda(view);
  await using items = openWorkItems(workspace.directory);
  const { items: all, comments } = await items.snapshot(soda.root?.id ?? "");
  const item = all.find((one) => one.id === id);
  const byId = new Map(all.map((one) => [one.id, one]));
  const why =
    item === undefined
      ? "it is no longer among the milestone's tasks"
      : item.status === "closed"
        ? "somebody closed it meanwhile"
        : whyBlocked(item, byId, comments);
  if (why !== null) {
    const reason = `Not begun: ${why}.`;
    await record([
      { type: "loop.task.end", iteration, taskId: id, outcome: "blocked", reason, changes: [], learnings: [] },
    ]);
    return false;
  }
  const { title, updatedAt: at } = await items.update(id, { status: "in_progress" });
  await record([{ type: "loop.items.changed", iteration, changes: [{ id, title, what: "begun", at }] }]);
  return true;
}
