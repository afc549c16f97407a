import type { LoopView } from "@ralpher/contract";
import { type Action, actionsFor } from "../../words/actions.ts";

/** Has the loop commits of its own that a merge would bring over? */
export function isMergeable(view: LoopView): boolean {
  return view.workspace !== null && view.workspace.kind !== "plain" && view.head !== view.workspace.baseSha;
}

/** What to offer for this loop, the best first. */
export function offeredActions(view: LoopView): Action[] {
  const { phase } = view;
  const asked = "ask" in phase && phase.ask !== null ? phase.ask.to : undefined;
  return actionsFor(phase.status, { asked, mergeable: isMergeable(view) });
}
