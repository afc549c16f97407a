import { isFault, type LoopView } from "@ralpher/contract";
import type { Execution } from "../execution.ts";
import { mergeWorkBranch } from "./merge.ts";

/**
 * A fault in the middle of an iteration: what its tasks had finished gets into the milestone, what was under way is kept
 * aside. What cannot be done now is told, and done at the next start.
 */
export async function bringIn(execution: Execution, view: LoopView): Promise<LoopView> {
  const { workspaces, record, journal } = execution;
  const { workspace, iteration } = view;
  const open = view.soda?.open ?? null;
  if (open === null || open.branch === null || open.merged !== null) return view;
  if (workspace === null || workspace.kind === "plain") return view;
  const { name: branch, head: since } = open.branch;
  try {
    const task = open.tasks.find((one) => one.begun && one.outcome === null && one.saved === null);
    const label = `${iteration}-${task?.id ?? "left"}`;
    const kept = await workspaces.setAside(workspace, branch, { since, label, message: `Set aside: ${label}` });
    if (kept !== null) {
      const text = `What was under way is kept as ${kept.ref}`;
      await record([{ type: "loop.notice", iteration, text }]);
    }
    await mergeWorkBranch(execution, view, { branch, since, iteration });
  } catch (error) {
    if (!isFault(error) || error.code === "disk_full") throw error;
    const text = `The iteration's work stays on ${branch} until the next start: ${error.message}`;
    await record([{ type: "loop.notice", iteration, text }]);
  }
  return (await journal.find(view.id)) ?? view;
}
