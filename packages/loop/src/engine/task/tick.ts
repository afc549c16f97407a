import type { EventBody } from "@ralpher/contract";
import type { Performer } from "../execution.ts";
import { requireLook, requireVault } from "./requires.ts";

/** Tick the step where its file is now (T-ITER-2). */
export const performTick: Performer<"tick"> = async (execution, { iteration, key }, view) => {
  const { vault, settings, task } = await requireVault(execution, view);
  const { config } = requireLook(view);
  const { path } = await vault.findTask(config, settings.file, task.taskId ?? undefined);
  const outcome = path === null ? "missing" : await vault.tick(path, key);
  const note: EventBody[] =
    outcome === "missing"
      ? [
          {
            type: "loop.notice",
            iteration,
            text: `The step "${key}" is no longer in the task's file: nothing was ticked.`,
          },
        ]
      : [];
  await execution.record([...note, { type: "loop.step.ticked", iteration, outcome }]);
};
