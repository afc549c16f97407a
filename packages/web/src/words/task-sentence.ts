import type { LoopView, TaskView } from "@ralpher/contract";
import { plural } from "./count.ts";
import { ended, firstLine, plainWords } from "./cut.ts";
import { isCalledOff } from "./state.ts";

/** How a task stands in a sentence, where that is told otherwise than of other loops; else null. */
export function taskSentence(view: LoopView, task: TaskView): string | null {
  const { phase, failures } = view;
  if (isCalledOff(view))
    return `Called off${task.report === null ? "" : ", and its report is written"}. Nothing is left to do.`;
  const asks = task.handOff?.answer === null;
  switch (phase.status) {
    case "starting":
      return "Looking at its vault; the first step begins by itself.";
    case "running": {
      if (task.look?.stopHook)
        return `Stops when iteration ${phase.open.number} ends: ${ended(task.look.stopHook.reason)}`;
      const step = task.open === null ? "" : `: ${plainWords(firstLine(task.open.step.text))}`;
      return `Iteration ${phase.open.number}${step}${failures === 0 ? "" : `, after ${plural(failures, "failure")} in a row`}`;
    }
    case "completed":
      return `The task is done${task.report === null ? "" : ", and its report is written"}. Nothing is left to do.`;
    case "stopped":
    case "failed":
    case "max_iterations":
    case "stuck":
      return `${ended(plainWords(phase.reason))} ${asks ? "It asks you how to go on." : "Resume it to go on from here."}`;
    default:
      return null;
  }
}
