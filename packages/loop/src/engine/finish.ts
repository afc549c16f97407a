import { type EventBody, type Fault, type LoopView, openIteration } from "@ralpher/contract";
import { stashRestored } from "../stash-restored.ts";
import { conclude } from "./conclude.ts";
import type { Execution, Performer } from "./execution.ts";
import { bringIn } from "./soda/bring-in.ts";
import { stepEnd } from "./task/close-step.ts";

/** End the run: give back what was stashed, and record the way it ended. */
export const performFinish: Performer<"finish"> = async (execution, { as, reason }, view) => {
  const stash = await restoreStash(execution, view);
  const end: EventBody =
    as === "completed"
      ? { type: "loop.completed", totalIterations: view.iteration }
      : as === "failed"
        ? { type: "loop.failed", reason, ...(view.error === null ? {} : { error: view.error }) }
        : { type: `loop.${as}`, reason };
  await execution.record([...stash, ...(await conclude(execution, view, { as, reason })), end]);
};

/** A fault of the folder or the agent: the iteration under way is an error, and the run ends with the fault's words. */
export async function performFailure(execution: Execution, fault: Fault, known: LoopView | null): Promise<void> {
  if (known === null) return;
  const { message } = fault;
  const view = await closeIteration(execution, await bringIn(execution, known), message);
  const stash = await restoreStash(execution, view);
  const left = await conclude(execution, view, { as: "failed", reason: message });
  await execution.record([...stash, ...left, { type: "loop.failed", reason: message }]);
}

async function closeIteration({ record, clock }: Execution, view: LoopView, message: string): Promise<LoopView> {
  const { iteration } = view;
  const isOpen = openIteration(view) !== null;
  return await record([
    { type: "loop.error", iteration, error: message },
    ...(isOpen ? stepEnd(view, "error", clock.now(), message) : []),
    ...(isOpen ? [{ type: "loop.iteration.end" as const, iteration, outcome: "error" as const }] : []),
  ]);
}

/**
 * Give back what was stashed, as soon as the loop no longer uses the checkout: for a worktree that is when the run ends,
 * in place when the work is accepted, discarded or deleted. What cannot be given back stays kept, and is told.
 */
async function restoreStash({ workspaces }: Execution, { workspace }: LoopView): Promise<EventBody[]> {
  return workspace?.kind === "worktree" ? await stashRestored(workspaces, workspace) : [];
}
