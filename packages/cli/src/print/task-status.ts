import { isUnderWay, type LoopView, type TaskDetail, type TaskStep, workedMs } from "@ralpher/contract";
import { accent, attention, bad, bold, dim, good } from "./style.ts";
import { questionLines } from "./task-ending.ts";
import { endOf, headOf, injectedWords, problemLines, resultMarks, stepsWords } from "./task-lines.ts";
import { actionLine, cut, duration, moment, plural, printable, status, usage } from "./words.ts";
import { listed, screenWidth, wrapped } from "./wrapped.ts";

/** What a person may do next: words and the command. */
export type Next = { what: string; command: string }[];

const label = (word: string) => dim(word.padEnd(11));
const mostSteps = 60;
const mostHistory = 8;

/** A task as it stands: its file step by step, its limits, what it was about last, and what it asks. */
export function taskStatusLines(
  view: LoopView,
  task: TaskDetail,
  { interrupted, next }: { interrupted: boolean; next: Next },
): string[] {
  const { counters } = task;
  const state = interrupted ? attention("‖ interrupted") : status(view.phase.status, view.task?.filed?.place);
  return [
    ...wrapped(task.title, { paint: bold }),
    ...listed([
      view.id.slice(0, 8),
      state,
      `iterations ${counters.iterations}/${counters.max_iterations}`,
      `failures ${counters.consecutive_failures}/${counters.failure_threshold}`,
    ]),
    `${label("Vault")}${printable(task.vault)}`,
    `${label("Task")}${placeOf(task)}`,
    ...stepsPart(task),
    ...nowPart(view, task),
    ...historyPart(task),
    ...listed(
      [
        plural(view.commitCount, "commit"),
        `${duration(workedMs(view, Date.now()))} of work`,
        `tokens ${usage(view.usage)}`,
      ],
      { first: label("Work") },
    ),
    ...steeringPart(task),
    ...(task.completionReport === null
      ? []
      : [`${label("Report")}${printable(task.vault + task.completionReport.path)}`]),
    `${label("State")}${printable(task.stateFile)}`,
    `${label("Log")}${printable(task.logFile)}`,
    ...task.problems.flatMap(problemLines),
    ...whyPart(view),
    ...askedPart(view, task),
    "",
    ...next.map(({ what, command }) => actionLine([what, command])),
  ];
}

function placeOf({ file, path, place }: TaskDetail): string {
  if (path === null) return `${printable(file)} ${bad("is gone")}`;
  return path === file ? printable(path) : `${printable(path)} ${dim(`(${place}; it was ${printable(file)})`)}`;
}

function stepsPart({ steps, working }: TaskDetail): string[] {
  const leaves = steps.filter(({ isParent }) => !isParent);
  if (leaves.length === 0) return [];
  const done = leaves.filter((step) => step.done).length;
  const { shown, before, after } = aroundOpen(steps);
  return [
    `${label("Steps")}${stepsWords({ done, all: leaves.length })}`,
    ...(before === 0 ? [] : [dim(`  ${plural(before, "step")} before these`)]),
    ...shown.map((step) => stepLine(step, step.key === working)),
    ...(after === 0 ? [] : [dim(`  and ${after} more`)]),
  ];
}

/** Of a long task, what lies around the step that is next. */
function aroundOpen(steps: TaskStep[]): { shown: TaskStep[]; before: number; after: number } {
  const open = steps.findIndex(({ done }) => !done);
  const from = Math.max(0, Math.min(open < 0 ? steps.length : open - mostSteps / 2, steps.length - mostSteps));
  const shown = steps.slice(from, from + mostSteps);
  return { shown, before: from, after: steps.length - from - shown.length };
}

function stepLine(step: TaskStep, isWorking: boolean): string {
  const indent = "  ".repeat(Math.min(step.depth, 6) + 1);
  const mark = isWorking ? accent("▶") : step.done ? good("✓") : "○";
  const check = step.verify === null || step.isParent ? "" : `  ${dim(cut(step.verify, 40))}`;
  const room = Math.max(20, screenWidth() - indent.length - 2 - Bun.stringWidth(check));
  return `${indent}${mark} ${cut(headOf(step), room)}${check}`;
}

/** What the iteration under way has come to. */
function nowPart(view: LoopView, { report, check, timeoutAt }: TaskDetail): string[] {
  if (!isUnderWay(view)) return [];
  return [
    ...(report === null
      ? []
      : wrapped(cut(report.summary, 240), { first: `${label("Report")}${resultMarks[report.result]} ` })),
    ...(check === null
      ? []
      : [
          ...wrapped(`${check.command}: ${check.passed ? "passed" : check.outcome}`, {
            first: `${label("Check")}${check.passed ? good("✓") : bad("✗")} `,
          }),
          ...(check.passed ? [] : endOf(check.output).map((line) => dim(`  ${cut(line, screenWidth() - 2)}`))),
        ]),
    ...(timeoutAt === null ? [] : [`${label("Until")}${moment(timeoutAt)}${dim(", then its time is over")}`]),
  ];
}

function historyPart({ history, counters }: TaskDetail): string[] {
  if (history.length === 0) return [];
  const { total_successes: successes, total_failures: failures } = counters;
  return [
    `${label("History")}${successes} ${successes === 1 ? "success" : "successes"}, ${plural(failures, "failure")}`,
    ...history
      .slice(-mostHistory)
      .flatMap(({ iteration, result, action, step, error, duration_seconds: seconds }) => [
        `  ${String(iteration).padStart(3)} ${resultMarks[result]} ${cut(`${step}: ${action}`, Math.max(20, screenWidth() - 20))} ${dim(duration(seconds * 1000))}`,
        ...(error === undefined ? [] : [`      ${bad(cut(error, screenWidth() - 6))}`]),
      ]),
  ];
}

/** What a human put down in the vault. */
function steeringPart({ stopHook, waitingPrompt, injected }: TaskDetail): string[] {
  return [
    ...(stopHook === null
      ? []
      : wrapped(`${stopHook.path}: ${cut(stopHook.reason, 200)}`, { first: label("Stop hook"), paint: attention })),
    ...(waitingPrompt === null
      ? []
      : wrapped(`after iteration ${waitingPrompt.afterIteration}: ${cut(injectedWords(waitingPrompt.text), 160)}`, {
          first: label("To be told"),
        })),
    ...(injected === null
      ? []
      : wrapped(`after iteration ${injected.iteration}: ${cut(injectedWords(injected.text), 160)}`, {
          first: label("Was told"),
        })),
  ];
}

/** Why it ended. */
function whyPart({ phase }: LoopView): string[] {
  if (!("reason" in phase) || phase.reason === null || phase.status === "completed") return [];
  return wrapped(cut(phase.reason, 400), {
    first: label(phase.status === "waiting" ? "Waits for" : "Ended"),
    paint: phase.status === "failed" ? bad : dim,
  });
}

function askedPart(view: LoopView, { handOff, vault }: TaskDetail): string[] {
  if (handOff === null || isUnderWay(view)) return [];
  if (handOff.answer !== null)
    return [`${label("Asked")}${printable(handOff.path)} ${dim(`answered: ${handOff.answer}`)}`];
  return questionLines(vault + handOff.path, handOff.choices).slice(0, -1);
}
