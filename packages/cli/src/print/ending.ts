import { isElsewhere, isUnderWay, type LoopView, shortId } from "@ralpher/contract";
import { sodaActions, sodaInterrupted } from "./soda-actions.ts";
import { attention, bold, dim } from "./style.ts";
import { taskActions, taskInterrupted } from "./task-actions.ts";
import { taskEnding } from "./task-ending.ts";
import { actionLine, printable, status, totals } from "./words.ts";

/** How a loop stands, and what to do next. */
export function ending(view: LoopView, isInHand = true): string[] {
  if (isUnderWay(view) && !isInHand) {
    return [
      "",
      attention("‖ interrupted: nobody runs it right now, for the process that did is gone"),
      ...interrupted(view).map(actionLine),
    ];
  }
  if (view.task !== null) return taskEnding(view);
  const { phase } = view;
  const reason = "reason" in phase && phase.reason ? `: ${printable(phase.reason)}` : "";
  return ["", `${bold(status(phase.status))}${reason}`, dim(totals(view)), ...nextActions(view).map(actionLine)];
}

function interrupted(view: LoopView): [string, string][] {
  if (view.soda !== null) return sodaInterrupted(view);
  if (view.task !== null) return taskInterrupted(view);
  const id = shortId(view.id);
  return [
    ["Go on", `ralpher loop resume ${id}`],
    ["End it", `ralpher loop stop ${id}`],
  ];
}

/** What a person may want to do with a loop as it is now: words and the command. */
export function nextActions(view: LoopView): [string, string][] {
  if (view.soda !== null) return sodaActions(view);
  if (view.task !== null) return taskActions(view);
  const id = shortId(view.id);
  // What an imported loop did lies where it came from.
  const hasWork = view.commitCount > 0 && !isElsewhere(view);
  const review: [string, string][] = hasWork
    ? [
        ["See the work", `ralpher loop diff ${id}`],
        ["Take it over", `ralpher loop accept ${id}`],
      ]
    : [];
  const goOn: [string, string] = ["Go on", `ralpher loop resume ${id} --max-iterations ${view.iteration + 10}`];
  if (isUnderWay(view)) return [["Watch it", `ralpher loop logs -f ${id}`]];
  switch (view.phase.status) {
    case "idle":
      return [["Start it", `ralpher loop start ${id}`]];
    case "paused":
      return [["Go on", `ralpher loop resume ${id}`]];
    case "max_iterations":
      return [...review, goOn];
    case "stopped":
    case "failed":
    case "stuck":
      return view.config.maxIterations !== undefined && view.iteration >= view.config.maxIterations
        ? [...review, goOn]
        : [...review, ...remedies(view, id), ["Try again", `ralpher loop start ${id}`]];
    case "completed":
      return isElsewhere(view)
        ? [["Start it here", `ralpher loop start ${id}`]]
        : [...review, ["Throw it away", `ralpher loop discard ${id}`]];
    case "discarded":
      return hasWork ? [["Bring it back", `ralpher loop restore ${id}`]] : [];
    default:
      return [];
  }
}

/** What can be done about a failure that trying again does not mend. */
function remedies(view: LoopView, id: string): [string, string][] {
  switch (view.lastEnd?.failure?.reason) {
    case "auth":
      return view.config.backend.type === "opencode" ? [["Give a key", "opencode auth login"]] : [];
    case "model":
      return [["Other model", `ralpher loop start ${id} --model provider/model`]];
    default:
      return [];
  }
}
