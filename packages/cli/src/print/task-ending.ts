import { type HandOffChoice, isAsking, type LoopView, limitsOf, workedMs } from "@ralpher/contract";
import { attention, bold, dim } from "./style.ts";
import { choiceWords, taskActions } from "./task-actions.ts";
import { actionLine, cut, duration, plural, printable, status, usage } from "./words.ts";
import { listed, wrapped } from "./wrapped.ts";

/** `3/100 · failures 1/3` */
export function counters(view: LoopView): string[] {
  const { maxIterations, failureThreshold } = limitsOf(view);
  return [
    maxIterations === undefined ? `${view.iteration}` : `${view.iteration}/${maxIterations}`,
    `failures ${view.failures}/${failureThreshold}`,
  ];
}

/** How a task at rest stands, what it asks, and what to do next. */
export function taskEnding(view: LoopView): string[] {
  const { phase, task } = view;
  const why = "reason" in phase && phase.reason !== null ? phase.reason : "";
  const { done, all } = task?.look?.counts ?? { done: 0, all: 0 };
  const [iterations = "", failures = ""] = counters(view);
  const head = bold(status(phase.status, task?.filed?.place));
  return [
    "",
    ...(why === "" ? [head] : wrapped(cut(why, 400), { first: `${head}: ` })),
    ...listed([
      `iterations ${iterations}`,
      failures,
      ...(all === 0 ? [] : [`${done} of ${plural(all, "step")} done`]),
      `${duration(workedMs(view, Date.now()))} of work`,
      `tokens ${usage(view.usage)}`,
    ]).map(dim),
    ...filedLines(view),
    ...(isAsking(view) ? questionLines(inVault(view, task?.handOff?.path ?? ""), task?.handOff?.choices ?? []) : []),
    ...taskActions(view).map(actionLine),
  ];
}

/** Where its file is now, and what tells of the work. */
function filedLines(view: LoopView): string[] {
  const { phase, task } = view;
  const isFiled = task?.filed != null && (phase.status === "completed" || phase.status === "stopped");
  return [
    ...(isFiled ? [actionLine(["Its file", inVault(view, task.filed?.path ?? "")])] : []),
    ...(isFiled && task.report !== null ? [actionLine(["Report", inVault(view, task.report)])] : []),
  ];
}

/** What a hand-off asks: its file, and each choice with what it does. */
export function questionLines(path: string, choices: HandOffChoice[]): string[] {
  const widest = Math.max(0, ...choices.map(({ length }) => length));
  return [
    "",
    attention(`It asks you: ${printable(path)}`),
    ...(choices.length === 0 ? [] : ["Tick one of its boxes while a server or a watch runs, or choose here:"]),
    ...choices.flatMap((choice) => wrapped(choiceWords[choice], { first: `  ${choice.padEnd(widest)}  ` })),
    "",
  ];
}

/** A path of the vault as it can be opened from anywhere. */
export function inVault({ config, task }: LoopView, path: string): string {
  return printable(`${task?.vault ?? config.directory}${path}`);
}
