import type { LoopEvent, LoopView, StoredEvent, TaskStep, VaultProblem, VaultSight } from "@ralpher/contract";
import { accent, attention, bad, bold, dim, good } from "./style.ts";
import { counters } from "./task-ending.ts";
import { cut, duration, plural, printable, short } from "./words.ts";
import { listed, screenWidth, wrapped } from "./wrapped.ts";

/** Of what is chosen, only a step that is tried again or skipped has to do with failures. */
function startedAnew({ resetFailures }: Of<"loop.starting">, { task }: LoopView): string[] {
  const answer = task?.handOff?.answer ?? "by hand";
  if (!resetFailures || !["by hand", "retry", "skip_step"].includes(answer)) return [];
  return [dim("Its failures are counted from zero.")];
}

type Of<T extends StoredEvent["type"]> = Extract<StoredEvent, { type: T }>;

/** Of what agents say, a few lines; of what a check prints, its end. */
const longest = 400;
const mostOutput = 8;

/**
 * What happens in a task loop, as lines of a terminal; null for events that are told as those of any loop. `view` is the
 * loop after the event.
 */
export function taskLines(event: StoredEvent, view: LoopView): string[] | null {
  switch (event.type) {
    case "loop.workspace.ready":
      return [];
    case "loop.starting":
      return startedAnew(event, view);
    case "loop.task.opened":
      return [`${dim("Vault")}  ${printable(event.vault)} ${dim(event.runId)}`];
    case "loop.vault.looked":
      return looked(event, view);
    case "loop.iteration.start":
      return iterationStart(view);
    case "loop.step.begun":
      return stepBegun(event);
    case "loop.message":
      return message(event);
    case "loop.step.reported":
      return reported(event);
    case "loop.step.verified":
      return verified(event);
    case "loop.step.ticked":
      return ticked[event.outcome];
    case "loop.error":
      return isTold(event, view) ? [] : null;
    case "loop.step.end":
      return [];
    case "loop.iteration.end":
      return iterationEnd(event, view);
    case "loop.waiting":
      return [dim(`  waits ${cut(waitWords(event), screenWidth() - 8)}`)];
    case "loop.handed_off":
      return [dim(`? a question for you: ${printable(event.path)}`)];
    case "loop.chosen":
      return [accent(`› chosen: ${event.choice}${event.path === null ? "" : ` in ${printable(event.path)}`}`)];
    case "loop.task.filed":
      return [`→ ${printable(event.path)}`];
    default:
      return null;
  }
}

function waitWords({ at, until, reason }: Of<"loop.waiting">): string {
  return `${duration(Math.max(0, Date.parse(until) - Date.parse(at)))}: ${short(reason, 400)}`;
}

/** The first look tells of the task; later ones of what a human did meanwhile. */
function looked({ look, injection }: Of<"loop.vault.looked">, view: LoopView): string[] {
  return [
    ...(look === null ? [] : [...(view.iteration === 0 ? titleLines(look) : []), ...newsLines(look)]),
    ...(injection === undefined
      ? []
      : wrapped(cut(injectedWords(injection.text), longest), {
          first: `${accent("›")} ${injection.priority === "high" ? "at once" : "told next"}: `,
        })),
  ];
}

/** What a human put down, without the headings of its form. */
export function injectedWords(text: string): string {
  const lines = text.split("\n").filter((line) => !/^#{1,6}\s/.test(line) && line.trim() !== "");
  return (lines.length === 0 ? text : lines.join(" ")).trim();
}

function titleLines({ title, path, counts }: VaultSight): string[] {
  const where = path === null ? [] : [dim(printable(path))];
  return [[`${dim("Task")}   ${cut(title, 120)}`, ...where].join(" "), `       ${stepsWords(counts)}`];
}

export function stepsWords({ done, all }: VaultSight["counts"]): string {
  return all === 1 ? (done === 1 ? "its one step is done" : "one step") : `${done} of ${plural(all, "step")} done`;
}

/** What is wrong in the vault comes as a notice. */
function newsLines({ place, path, stopHook }: VaultSight): string[] {
  const moved =
    place === "open" ? [] : [attention(`! ${placeWords[place]}${path === null ? "" : `: ${printable(path)}`}`)];
  const hook =
    stopHook === null ? [] : wrapped(`${stopHook.path} stops it: ${cut(stopHook.reason, 200)}`, { first: "■ " });
  return [...moved, ...hook];
}

const placeWords = {
  done: "the task was put where finished ones lie",
  rejected: "the task was called off",
  gone: "the task's file is gone",
};

/** Where it is, as editors understand it, and what is wrong there. */
export function problemLines({ path, line, column, message: words }: VaultProblem): string[] {
  const at = [path, line, column].filter((part) => part !== undefined).join(":");
  return wrapped(`${at}: ${words}`, { first: `${attention("!")} ` });
}

function iterationStart(view: LoopView): string[] {
  const { counts } = view.task?.look ?? {};
  const [iterations = "", failures = ""] = counters(view);
  const steps = counts === undefined ? [] : [stepsWords(counts)];
  return ["", `${bold(`Iteration ${iterations}`)}${dim([failures, ...steps].map((piece) => ` · ${piece}`).join(""))}`];
}

function stepBegun({ step }: Of<"loop.step.begun">): string[] {
  return [
    ...wrapped(cut(headOf(step), 240), { first: `  ${accent("▶")} `, paint: bold }),
    ...(step.path.length === 0 ? [] : [dim(`    ${cut(step.path.join(" › "), screenWidth() - 4)}`)]),
  ];
}

/** A step in one line. */
export function headOf({ text, key }: Pick<TaskStep, "text" | "key">): string {
  return short(text, 240) || key;
}

/** Answers in JSON are shown as what they mean. */
function message({ message: { kind, content } }: Of<"loop.message">): string[] {
  const text = content.trim();
  if (kind !== "text" || text === "" || text.startsWith("{") || text.startsWith("```json")) return [];
  return [`  ${dim(short(text, screenWidth() - 2))}`];
}

export const resultMarks = { success: good("✓"), failure: bad("✗"), partial: attention("◐") };

function reported({ report }: Of<"loop.step.reported">): string[] {
  const { result, action, summary, error, next_action: next } = report;
  const said = result === "success" ? summary : `${result}: ${summary}`;
  return [
    ...wrapped(cut(said, longest), { first: `  ${resultMarks[result]} ${cut(action, 40)}: ` }),
    ...(error ? wrapped(cut(error, longest), { first: "    ", paint: bad }) : []),
    ...(next && result !== "success" ? wrapped(`next: ${cut(next, 200)}`, { first: "    ", paint: dim }) : []),
  ];
}

function verified({ check }: Of<"loop.step.verified">): string[] {
  const { command, passed, outcome, output } = check;
  if (passed) return [`  ${good("✓")} the check passed: ${cut(command, 120)}`];
  return [
    ...wrapped(`the check did not pass: ${command}: ${outcome}`, { first: `  ${bad("✗")} ` }),
    ...endOf(output).map((line) => dim(`    ${cut(line, screenWidth() - 4)}`)),
  ];
}

/** The last lines of what a check printed. */
export function endOf(output: string): string[] {
  const lines = printable(output).trimEnd().split("\n");
  if (lines.length === 1 && lines[0]?.trim() === "") return [];
  return lines.length <= mostOutput ? lines : ["…", ...lines.slice(1 - mostOutput)];
}

/** That it is missing comes as a notice. */
const ticked = {
  ticked: [`  ${good("✓")} ticked`],
  done: [`  ${good("✓")} its box was ticked already`],
  missing: [],
};

/** The step's report or its check has said so already. */
export function isTold({ error }: Of<"loop.error">, { task }: LoopView): boolean {
  const { report, check } = task?.open ?? {};
  return check?.passed === false || error === report?.error || error === report?.summary;
}

function iterationEnd({ outcome }: Of<"loop.iteration.end">, view: LoopView): string[] {
  const done = view.recent.at(-1);
  const took = done === undefined ? 0 : Date.parse(done.completedAt) - Date.parse(done.startedAt);
  const [, failures = ""] = counters(view);
  const words = { continue: "done", complete: "done", partial: "not done yet", error: "failed" } as const;
  const how = outcome in words ? words[outcome as keyof typeof words] : outcome;
  return listed([`${how} after ${duration(took)}`, ...(outcome === "error" ? [failures] : [])], { first: "  " }).map(
    dim,
  );
}

/** What begins with an event, for the line that says what goes on now; null when it goes on as before. */
export function taskDoing(event: LoopEvent): string | null {
  switch (event.type) {
    case "loop.starting":
    case "loop.iteration.end":
      return "looking at the vault";
    case "loop.step.begun":
      return "starting the agent";
    case "loop.step.reported":
      return "checking";
    case "loop.step.verified":
    case "loop.step.ticked":
      return "writing it down";
    case "loop.waiting":
      return "waiting";
    default:
      return null;
  }
}
