import { type EventBody, type Fault, type LoopView, openIteration } from "@ralpher/contract";
import { stashRestored } from "../stash-restored.ts";
import type { Execution, Performer } from "./execution.ts";
import { bringIn } from "./soda/bring-in.ts";
import { summarise } from "./soda/summarise.ts";

/** End the run: give back what was stashed, and record the way it ended. */
export const performFinish: Performer<"finish"> = async (execution, { as, reason }, view) => {
  const stash = await restoreStash(execution, view);
  const end: EventBody =
    as === "completed"
      ? { type: "loop.completed", totalIterations: view.iteration }
      : as === "failed"
        ? { type: "loop.failed", reason, ...(view.error === null ? {} : { error: view.error }) }
        : { type: `loop.${as}`, reason };
  await execution.record([...stash, ...(await summarise(execution, view, { as, reason })), end]);
};

/** A fault of the folder or the agent: the iteration under way is an error, and the run ends with the fault's words. */
export async function performFailure(execution: Execution, fault: Fault, known: LoopView | null): Promise<void> {
  const view = known === null ? null : await bringIn(execution, known);
  const iteration = view?.iteration ?? 0;
  const open = view === null ? null : openIteration(view);
  const closed: EventBody[] = open === null ? [] : [{ type: "loop.iteration.end", iteration, outcome: "error" }];
  const stash = view === null ? [] : await restoreStash(execution, view);
  const { message } = fault;
  const summary = view === null ? [] : await summarise(execution, view, { as: "failed", reason: message });
  await execution.record([
    { type: "loop.error", iteration, error: message },
    ...closed,
    ...stash,
    ...summary,
    { type: "loop.failed", reason: message },
  ]);
}

/**
 * Give back what was stashed, as soon as the loop no longer uses the checkout: for a worktree that is when the run ends,
 * in place when the work is accepted, discarded or deleted. What cannot be given back stays kept, and is told.
 */
async function restoreStash({ workspaces }: Execution, { workspace }: LoopView): Promise<EventBody[]> {
  return workspace?.kind === "worktree" ? await stashRestored(workspaces, workspace) : [];
}
