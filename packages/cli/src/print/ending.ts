import { isUnderWay, type LoopView, shortId, workedMs } from "@ralpher/contract";
import { attention, bold, dim } from "./style.ts";
import { duration, plural, printable, status, usage } from "./words.ts";

/** How a loop stands, and what to do next. */
export function ending(view: LoopView, isInHand = true): string[] {
  if (isUnderWay(view) && !isInHand) {
    const id = shortId(view.id);
    return [
      "",
      attention("‖ interrupted: nobody runs it right now, for the process that did is gone"),
      `${"Go on:".padEnd(14)} ralpher loop resume ${id}`,
      `${"End it:".padEnd(14)} ralpher loop stop ${id}`,
    ];
  }
  const { phase, startedAt } = view;
  const reason = "reason" in phase && phase.reason ? `: ${printable(phase.reason)}` : "";
  const took = startedAt === null ? "" : `, ${duration(workedMs(view, Date.now()))} of work`;
  return [
    "",
    `${bold(status(phase.status))}${reason}`,
    dim(
      `${plural(view.iteration, "iteration")}, ${plural(view.commitCount, "commit")}${took}; tokens ${usage(view.usage)}`,
    ),
    ...nextActions(view).map(([words, command]) => `${`${words}:`.padEnd(14)} ${command}`),
  ];
}

/** What a person may want to do with a loop as it is now: words and the command. */
export function nextActions(view: LoopView): [string, string][] {
  const id = shortId(view.id);
  const hasWork = view.commitCount > 0;
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
      return [...review, ["Throw it away", `ralpher loop discard ${id}`]];
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
