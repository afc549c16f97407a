import { isMergeable, type LoopView } from "@ralpher/contract";
import { type Action, actionsFor } from "../../words/actions.ts";
import { isCalledOff } from "../../words/state.ts";
import { maxIterationsOf } from "./limits.ts";

/** May it go on without a higher limit? */
export function hasIterationsLeft(view: LoopView): boolean {
  const most = maxIterationsOf(view);
  return most === undefined || view.iteration < most;
}

/** What to offer for this loop, the best first. */
export function offeredActions(view: LoopView): Action[] {
  const { phase, config } = view;
  const asked = "ask" in phase && phase.ask !== null ? phase.ask.to : undefined;
  const actions = actionsFor(phase.status, {
    asked,
    mergeable: isMergeable(view),
    strategy: config.strategy.type,
    calledOff: isCalledOff(view),
  });
  if (view.task !== null) return view.failures > 0 ? actions.flatMap(withFresh) : actions;
  if (phase.status !== "stuck" || hasIterationsLeft(view)) return actions;
  // A start would be refused until the limit is raised.
  return actions.map((action) => (action.name === "start" ? { name: "extend", label: "Go on" } : action));
}

/** A task goes on counting its failures where they were, unless it is told otherwise. */
function withFresh(action: Action): Action[] {
  if (action.name !== "start" || action.body?.resetFailures) return [action];
  return [action, { ...action, label: "Resume, failures from zero", body: { resetFailures: true } }];
}
