import type { EventBody, LoopView } from "@ralpher/contract";
import type { Execution, Performer } from "./execution.ts";

/** End the run: give back what was stashed, and record the way it ended. */
export const performFinish: Performer<"finish"> = async (execution, { as, reason }, view) => {
  const stash = await restoreStash(execution, view);
  const end: EventBody =
    as === "completed"
      ? { type: "loop.completed", totalIterations: view.iteration }
      : as === "failed"
        ? { type: "loop.failed", reason, ...(view.error === null ? {} : { error: view.error }) }
        : { type: `loop.${as}`, reason };
  await execution.record([...stash, end]);
};

/** The stash goes back as soon as the loop no longer uses the checkout: for a worktree that is now. */
async function restoreStash({ workspaces }: Execution, { workspace }: LoopView): Promise<EventBody[]> {
  if (workspace?.kind !== "worktree" || workspace.stashSha === undefined) return [];
  const restored = await workspaces.restoreStash(workspace);
  if (restored === "nothing") return [];
  const note =
    restored === "restored" ? "Your stashed changes are back." : `${restored.why} They are kept: ${restored.kept}`;
  return [{ type: "loop.stash.restored", note }];
}
