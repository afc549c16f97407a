import type { StoredEvent } from "../event.ts";
import { firstLine } from "../first-line.ts";
import type { ItemChange } from "../soda/act.ts";
import {
  blankTask,
  type SodaLine,
  type SodaProgress,
  type SodaTask,
  type SodaView,
  sodaHistoryLimit,
} from "../soda/view.ts";

const longestLine = 200;
const mostLines = 50;
const longestSummary = 2_000;

/** Fold one event into what is known of a SODA loop. Pure and total, like `fold`. */
export function foldSoda(soda: SodaView, event: StoredEvent): SodaView {
  switch (event.type) {
    case "loop.bootstrapped":
      return { ...soda, project: event.project };
    case "loop.milestone":
      return { ...soda, root: event.root };
    case "loop.spec": {
      const { text: _, ...spec } = event.spec;
      return { ...soda, spec };
    }
    case "loop.sensed":
      return { ...soda, open: begin(event), mark: look(soda.mark, event), woken: null };
    case "loop.imported":
      // Its folder of the project, and its work items, are where it came from.
      return { ...soda, project: null, open: null, mark: null };
    case "loop.woken":
      return { ...soda, woken: event.note };
    case "loop.items.changed":
      return { ...soda, ...noted(soda, event.changes) };
    case "loop.summarised":
      return { ...soda, summary: event.path };
    case "loop.iteration.end":
      return soda.open === null
        ? soda
        : {
            ...soda,
            open: null,
            history: [...soda.history, lineOf(event.iteration, soda.open)].slice(-sodaHistoryLimit),
          };
    default:
      return soda.open === null ? soda : { ...soda, ...inProgress(soda, soda.open, event) };
  }
}

function inProgress(soda: SodaView, open: SodaProgress, event: StoredEvent): Partial<SodaView> {
  switch (event.type) {
    case "loop.turn.start":
      return event.taskId === undefined ? {} : inTask(open, event.taskId, (task) => ({ ...task, begun: true }));
    case "loop.oriented":
      return { open: { ...open, orientation: oriented(event) } };
    case "loop.planned": {
      const { plan, actionable, changes } = event;
      const tasks = (plan?.tasks ?? []).map((task) => ({ ...blankTask, ...task }));
      const kept = plan === null ? null : { intent: plan.intent, approach: plan.approach };
      return { open: { ...open, plan: kept, actionable, tasks }, ...noted(soda, changes) };
    }
    case "loop.decided":
      return { open: { ...open, decision: event.decision } };
    case "loop.branch.started":
      return { open: { ...open, branch: { name: event.branch, head: event.base } } };
    case "loop.tested": {
      const { taskId, result, regression = null } = event;
      if (taskId === null) return { open: { ...open, baseline: result } };
      return inTask(open, taskId, (task) => ({ ...task, test: result, regression, testedRound: task.rounds }));
    }
    case "loop.task.reported":
      return inTask(open, event.taskId, (task) => ({ ...task, report: event.report, rounds: task.rounds + 1 }));
    case "loop.set_aside":
      return inTask(open, event.taskId, (task) => ({ ...task, saved: { ref: event.ref } }));
    case "loop.git.saved":
      return { open: saved(open, event) };
    case "loop.task.end":
      return {
        ...inTask(open, event.taskId, (task) => ({ ...task, outcome: event.outcome })),
        ...noted(soda, event.changes),
      };
    case "loop.branch.merged":
      return {
        open: { ...open, merged: event.head === null ? { conflict: event.conflict ?? [] } : { head: event.head } },
        ...noted(soda, event.changes),
      };
    default:
      return {};
  }
}

function begin(event: Extract<StoredEvent, { type: "loop.sensed" }>): SodaProgress {
  return {
    sensedAt: event.at,
    said: event.said,
    orientation: null,
    plan: null,
    actionable: null,
    decision: null,
    branch: null,
    baseline: null,
    tasks: [],
    merged: null,
  };
}

function oriented({ orientation }: Extract<StoredEvent, { type: "loop.oriented" }>): SodaProgress["orientation"] {
  const { criteria, gaps } = orientation;
  const unsatisfied = criteria.filter(({ satisfied }) => satisfied !== true);
  return {
    summary: orientation.summary.slice(0, longestSummary),
    satisfied: orientation.spec_satisfied,
    counts: [criteria.length - unsatisfied.length, criteria.length],
    unsatisfied: unsatisfied.slice(0, mostLines).map(({ criterion }) => cut(criterion)),
    gaps: gaps.slice(0, mostLines).map(({ severity, description }) => ({ severity, description: cut(description) })),
  };
}

function saved(open: SodaProgress, event: Extract<StoredEvent, { type: "loop.git.saved" }>): SodaProgress {
  const { taskId, branch, head } = event;
  const moved =
    open.branch === null || branch !== open.branch.name || head === null
      ? open
      : { ...open, branch: { name: branch, head } };
  return taskId === undefined ? moved : inTask(moved, taskId, (task) => ({ ...task, saved: "branch" })).open;
}

function inTask(open: SodaProgress, id: string, change: (task: SodaTask) => SodaTask): { open: SodaProgress } {
  return { open: { ...open, tasks: open.tasks.map((task) => (task.id === id ? change(task) : task)) } };
}

/** When the items could not be read, what was seen of them before still counts, and what we wrote since. */
function look(before: SodaView["mark"], { cursor, links }: Extract<StoredEvent, { type: "loop.sensed" }>) {
  const known = before?.cursor === cursor ? before : null;
  return { cursor, links: links ?? known?.links ?? null, own: known?.own ?? [] };
}

/** What the orchestrator wrote itself is nobody else's change. */
function noted({ mark }: SodaView, changes: ItemChange[]): Pick<SodaView, "mark"> {
  if (mark === null) return { mark };
  const made = changes.map(({ id, at, links }) => ({ id, at, ...(links === undefined ? {} : { links }) }));
  // A step tells of its changes one by one, and then of all of them.
  const news = made.filter(({ id, at }) => !mark.own.some((known) => known.id === id && known.at === at));
  return { mark: { ...mark, own: [...mark.own, ...news] } };
}

function lineOf(iteration: number, open: SodaProgress): SodaLine {
  const { orientation, tasks } = open;
  return {
    iteration,
    intent: open.plan?.intent ?? null,
    decision: open.decision?.outcome ?? null,
    reason: open.decision?.outcome === "STUCK" ? open.decision.reason : null,
    completed: tasks.filter(({ outcome }) => outcome === "completed").length,
    blocked: tasks.filter(({ outcome }) => outcome === "blocked").length,
    counts: orientation?.counts ?? null,
    unsatisfied: orientation?.unsatisfied ?? [],
    regressed: [...new Set(tasks.flatMap(({ regression }) => regression?.tests ?? []))].slice(0, mostLines),
    executor: tasks.findLast(({ report }) => report !== null)?.report?.summary.slice(0, longestSummary) ?? null,
    verifier: orientation?.summary ?? null,
  };
}

function cut(text: string): string {
  return firstLine(text, longestLine) ?? "";
}
