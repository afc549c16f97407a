import { isMergeable, type LoopView } from "@ralpher/contract";
import { type Action, actionsFor } from "../../words/actions.ts";

/** What to offer for this loop, the best first. */
export function offeredActions(view: LoopView): Action[] {
  const { phase } = view;
  const asked = "ask" in phase && phase.ask !== null ? phase.ask.to : undefined;
  return actionsFor(phase.status, { asked, mergeable: isMergeable(view) });
}
