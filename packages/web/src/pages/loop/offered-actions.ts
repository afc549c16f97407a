import { isMergeable, type LoopView } from "@ralpher/contract";
import { type Action, actionsFor } from "../../words/actions.ts";

/** May it go on without a higher limit? */
export function hasIterationsLeft({ config, iteration }: LoopView): boolean {
  return config.maxIterations === undefined || iteration < config.maxIterations;
}

/** What to offer for this loop, the best first. */
export function offeredActions(view: LoopView): Action[] {
  const { phase } = view;
  const asked = "ask" in phase && phase.ask !== null ? phase.ask.to : undefined;
  const actions = actionsFor(phase.status, { asked, mergeable: isMergeable(view) });
  if (phase.status !== "stuck" || hasIterationsLeft(view)) return actions;
  // A start would be refused until the limit is raised.
  return actions.map((action) => (action.name === "start" ? { name: "extend", label: "Go on" } : action));
}
