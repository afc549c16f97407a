import { type EventBody, isFault, type KnownStep, type Vault } from "@ralpher/contract";
import type { Performer } from "../execution.ts";
import { requireLook, requireVault, whereIs } from "./requires.ts";

/** Tick the step where its file is now (T-ITER-2). */
export const performTick: Performer<"tick"> = async (execution, { iteration, key }, view) => {
  const { vault, task } = await requireVault(execution, view);
  const { path } = await whereIs(vault, requireLook(view).config, view);
  const step = task.open?.step;
  const outcome = path === null || step === undefined ? "missing" : await tick(vault, path, step);
  const note: EventBody[] =
    outcome === "missing"
      ? [
          {
            type: "loop.notice",
            iteration,
            text: `The step "${key}" could not be ticked: it is no longer in the task's file as it was, or somebody is writing that.`,
          },
        ]
      : [];
  await execution.record([...note, { type: "loop.step.ticked", iteration, outcome }]);
};

/** A file that somebody is in the middle of writing is looked at again before the next step. */
async function tick(vault: Vault, path: string, step: KnownStep): Promise<"ticked" | "done" | "missing"> {
  return await vault.tick(path, step).catch((error) => {
    if (isFault(error, "task_file_unusable") || isFault(error, "vault_busy")) return "missing" as const;
    throw error;
  });
}
