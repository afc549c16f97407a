import type { StoredEvent } from "../event.ts";
import { firstLine } from "../first-line.ts";
import type { StepReport, VaultLook } from "../task/event.ts";
import { openStep, type TaskProgress, type TaskView } from "../task/view.ts";
import type { LoopView } from "./view.ts";

const longestError = 2_000;
const longestFeedback = 8_000;
const mostErrors = 5;
const mostTried = 10;

/** Nobody is at work for longer without a sign: then nobody was there. */
const longestGapMs = 60 * 60_000;

/** Fold one event into what is known of a task loop: `view` is the whole before it. Pure and total, like `fold`. */
export function foldTask(
  view: Pick<LoopView, "phase" | "lastActivityAt">,
  before: TaskView,
  event: StoredEvent,
): TaskView {
  return change({ ...before, ranMs: before.ranMs + gapMs(view, event) }, event);
}

/** How long somebody was at work from the event before to this one. */
function gapMs({ phase, lastActivityAt }: Pick<LoopView, "phase" | "lastActivityAt">, event: StoredEvent): number {
  const isAtWork = phase.status === "running" || phase.status === "waiting";
  if (!isAtWork || (event.type === "loop.interrupted" && event.cause === "died")) return 0;
  const ms = Date.parse(event.at) - Date.parse(lastActivityAt);
  return ms > 0 && ms <= longestGapMs ? ms : 0;
}

function change(task: TaskView, event: StoredEvent): TaskView {
  switch (event.type) {
    case "loop.starting":
      return { ...task, ranMs: 0, isFresh: false, filed: null, report: null };
    case "loop.resumed":
      return { ...task, isFresh: false };
    case "loop.task.opened":
      return {
        ...task,
        runId: event.runId,
        taskId: event.taskId,
        stateSuffix: event.stateSuffix,
        vault: event.vault,
        namesakes: event.namesakes,
      };
    case "loop.vault.looked":
      return looked(task, event);
    case "loop.step.begun":
      return { ...task, open: { step: event.step, report: null, check: null, ticked: null } };
    case "loop.turn.end":
      // A turn that failed may not have got round to what it was told.
      return event.failure !== undefined || task.injection === null
        ? task
        : { ...task, injection: { ...task.injection, told: true } };
    case "loop.step.end":
      return ended(task, event);
    case "loop.iteration.end":
      return { ...task, open: null, isFresh: false };
    case "loop.handed_off": {
      const { kind, path, choices, at } = event;
      return { ...task, handOff: { kind, path, choices, at, answer: null, closed: false } };
    }
    case "loop.chosen":
      return {
        ...task,
        verdict: event.choice === "complete" || event.choice === "reject" ? event.choice : null,
        skip: event.choice === "skip_step" && task.look !== null ? (openStep(task.look)?.key ?? null) : null,
        ...(task.handOff === null ? {} : { handOff: { ...task.handOff, answer: event.choice } }),
      };
    case "loop.completed":
    case "loop.stopped":
    case "loop.failed":
    case "loop.max_iterations":
    case "loop.stuck":
      return { ...task, verdict: null };
    case "loop.task.filed":
      return { ...task, filed: { path: event.path, place: event.place }, report: event.report };
    case "loop.imported":
      // Its vault is where it came from.
      return { ...task, vault: null, open: null, look: null, isFresh: false, handOff: null };
    default:
      return task.open === null ? task : { ...task, open: inProgress(task.open, event) };
  }
}

function inProgress(open: TaskProgress, event: StoredEvent): TaskProgress {
  switch (event.type) {
    case "loop.step.reported":
      return { ...open, report: event.report };
    case "loop.step.verified":
      return { ...open, check: event.check };
    case "loop.step.ticked":
      return { ...open, ticked: event.outcome };
    default:
      return open;
  }
}

/** Whoever looks has put away what was answered and read before. */
function looked(task: TaskView, event: Extract<StoredEvent, { type: "loop.vault.looked" }>): TaskView {
  const { handOff, injection, last } = task;
  const { injection: found } = event;
  return {
    ...task,
    isFresh: true,
    look: lookOf(task.look, event),
    lookedAt: event.at,
    skip: null,
    handOff: handOff && { ...handOff, answer: handOff.answer ?? "by hand", closed: true },
    injection:
      found === undefined
        ? injection && { ...injection, removed: true }
        : { ...found, iteration: last?.iteration ?? 0, at: event.at, told: false, removed: false },
  };
}

function lookOf(known: VaultLook | null, event: Extract<StoredEvent, { type: "loop.vault.looked" }>): VaultLook | null {
  const { look, steps, toggled } = event;
  const before = known?.steps ?? [];
  const flipped = before.map((step) => (toggled.includes(step.key) ? { ...step, done: !step.done } : step));
  const now = steps ?? (toggled.length === 0 ? before : flipped);
  const rest = look ?? known;
  return rest === null ? null : { ...rest, steps: now };
}

function ended(task: TaskView, event: Extract<StoredEvent, { type: "loop.step.end" }>): TaskView {
  const { entry, step } = event;
  const { iteration, result, action, timestamp } = entry;
  const isDone = result === "success";
  const error = entry.error?.slice(0, longestError);
  const told = firstLine(error ?? task.open?.report?.summary ?? "", 200);
  return {
    ...task,
    successes: task.successes + (isDone ? 1 : 0),
    failures: task.failures + (result === "failure" ? 1 : 0),
    last: { iteration, step, action, result, next: task.open?.report?.next_action ?? null },
    lastSuccess: isDone ? { iteration, task: step, timestamp } : task.lastSuccess,
    feedback: isDone || task.open === null ? null : { key: task.open.step.key, text: feedbackOf(task.open, error) },
    tried: [...task.tried, `${iteration}. ${step}: ${action}: ${result}${told ? ` (${told})` : ""}`].slice(-mostTried),
    output: task.open?.check?.passed === false ? task.open.check.output : null,
    errors: error === undefined ? task.errors : [...task.errors, error].slice(-mostErrors),
  };
}

function feedbackOf({ report, check }: TaskProgress, error: string | undefined): string {
  const said = report === null ? [] : [reportWords(report)];
  if (check !== null && !check.passed) {
    return [...said, `The check \`${check.command}\` did not pass: ${check.outcome}. It printed:\n\n${check.output}`]
      .join("\n\n")
      .slice(-longestFeedback);
  }
  return [...said, ...(error === undefined || report?.error === error ? [] : [error])]
    .join("\n\n")
    .slice(0, longestFeedback);
}

function reportWords({ summary, error, next_action: next }: StepReport): string {
  return [summary, ...(error ? [error] : []), ...(next ? [`Next: ${next}`] : [])].join("\n");
}
