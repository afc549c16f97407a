import { Fault, type LoopView, openIteration } from "@ralpher/contract";

/** The iteration under way, which every step within one has. */
export function requireOpen(view: LoopView) {
  const open = openIteration(view);
  const progress = view.soda?.open ?? null;
  if (open === null || progress === null) throw new Error(`loop ${view.id} has no iteration under way`);
  return { open, progress };
}

/** What a SODA loop has once it has begun. */
export function requireSoda(view: LoopView) {
  const { soda, config, workspace } = view;
  if (soda === null || config.strategy.type !== "soda") throw new Fault("not_soda", { id: view.id });
  if (soda.project === null || workspace === null || workspace.kind === "plain") {
    throw new Error(`loop ${view.id} has not begun`);
  }
  return { soda, settings: config.strategy, project: soda.project, workspace };
}
