import { type HandOffChoice, isAsking, isUnderWay, type LoopView, limitsOf, shortId } from "@ralpher/contract";

/** What each choice of a hand-off does, in a line. */
export const choiceWords: Record<HandOffChoice, string> = {
  retry: "the same step once more, with the failures counted from zero",
  more_iterations: "go on, with as many iterations again",
  skip_step: "tick this step as it is, and go on with the next",
  complete: "the task is done as it is",
  reject: "call the task off",
};

/** What a person may want to do with a task loop as it is now: words and the command. */
export function taskActions(view: LoopView): [string, string][] {
  const id = shortId(view.id);
  if (isUnderWay(view)) return [["Watch it", `ralpher task resume ${id}`]];
  switch (view.phase.status) {
    case "idle":
    case "paused":
      return [["Go on", `ralpher task resume ${id}`]];
    case "stopped":
      return isRejected(view) ? [] : [...choosing(view), ["Go on", goOnCommand(view)]];
    case "failed":
    case "stuck":
    case "max_iterations":
      return [...choosing(view), ["Go on", goOnCommand(view)]];
    default:
      return [];
  }
}

/** Nobody runs it, for the process that did is gone. */
export function taskInterrupted(view: LoopView): [string, string][] {
  const id = shortId(view.id);
  return [
    ["Go on", `ralpher task resume ${id}`],
    ["End it", `ralpher loop stop ${id}`],
  ];
}

/** It was called off: its file lies where such tasks lie. */
export function isRejected({ task, phase }: LoopView): boolean {
  return phase.status === "stopped" && task?.filed?.place === "rejected";
}

/** With what it takes: a limit that it has reached ends it again at once. */
export function goOnCommand(view: LoopView): string {
  const { maxIterations, failureThreshold } = limitsOf(view);
  const more = maxIterations !== undefined && view.iteration >= maxIterations;
  return [
    `ralpher task resume ${shortId(view.id)}`,
    ...(more ? [`--max-iterations ${view.iteration + 10}`] : []),
    ...(view.failures >= failureThreshold ? ["--reset-failures"] : []),
  ].join(" ");
}

function choosing(view: LoopView): [string, string][] {
  const [first] = view.task?.handOff?.choices ?? [];
  return isAsking(view) && first !== undefined ? [["Choose", `ralpher task choose ${shortId(view.id)} ${first}`]] : [];
}
