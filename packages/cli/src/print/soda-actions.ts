import { isElsewhere, isUnderWay, isWakeable, type LoopView, shortId } from "@ralpher/contract";
import { sodaCommand as soda } from "../program-names.ts";

/** What a person may want to do with a SODA run as it is now: words and the command. `taskId`: the one to speak of. */
export function sodaActions(view: LoopView, taskId = view.soda?.root?.id): [string, string][] {
  const id = shortId(view.id);
  const { status } = view.phase;
  const hasWork = view.commitCount > 0 && !isElsewhere(view);
  const review: [string, string][] = hasWork ? [["See the work", `ralpher loop diff ${id}`]] : [];
  if (isUnderWay(view)) {
    return [
      ["Watch it", `${soda} resume ${id}`],
      ["Hold it", `${soda} pause --run ${id}`],
    ];
  }
  switch (status) {
    case "stuck":
      return isWakeable(view)
        ? [...answers(view, taskId), ["Then go on", `${soda} resume ${id}`]]
        : [...review, goFurther(view)];
    case "idle":
    case "paused":
      return [["Go on", `${soda} resume ${id}`]];
    case "stopped":
    case "failed":
      return isUsedUp(view) ? [...review, goFurther(view)] : [...review, ["Go on", `${soda} resume ${id}`]];
    case "completed":
      return [...review, ["Pull request", `${soda} pr --run ${id}`], ["Take it over", `ralpher loop accept ${id}`]];
    case "discarded":
      return hasWork ? [["Bring it back", `ralpher loop restore ${id}`]] : [];
    default:
      return [];
  }
}

/** Nobody runs it, for the process that did is gone. */
export function sodaInterrupted(view: LoopView): [string, string][] {
  const id = shortId(view.id);
  return [
    ["Go on", `${soda} resume ${id}`],
    ["End it", `${soda} stop --run ${id}`],
  ];
}

/** The ways to tell a stuck run what it needs; each starts it again. */
function answers(view: LoopView, taskId: string | undefined): [string, string][] {
  const spec = view.soda?.spec?.path;
  return [
    ["Answer", `${soda} answer "…" --run ${shortId(view.id)}`],
    ...(taskId === undefined ? [] : [["or comment", `trc comment ${taskId} "…"`] as [string, string]]),
    ...(spec === undefined ? [] : [["or change", spec] as [string, string]]),
  ];
}

/** It has no iteration left to go on with. */
export function isUsedUp({ config, iteration }: LoopView): boolean {
  return config.maxIterations !== undefined && iteration >= config.maxIterations;
}

function goFurther(view: LoopView): [string, string] {
  return ["Go on", `${soda} resume ${shortId(view.id)} --max-iterations ${view.iteration + 10}`];
}
