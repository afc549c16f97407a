import type { Performer } from "../execution.ts";
import { requireOpen, requireSoda } from "./converse.ts";

/** Run the project's tests: for the baseline, or after work on a task, and compare. */
export const performTest: Performer<"test"> = async ({ projects, record, signal }, { iteration, taskId }, view) => {
  const { settings, workspace } = requireSoda(view);
  const { progress } = requireOpen(view);
  const result = await projects.test({
    directory: workspace.directory,
    command: settings.test,
    timeoutMs: settings.testTimeoutSeconds * 1000,
    signal,
  });
  // Ended by us: it says nothing, and is run again when the loop goes on.
  if (signal.aborted) return;
  const regression = taskId === null ? undefined : projects.compare(progress.baseline ?? { kind: "none" }, result);
  await record([
    { type: "loop.tested", iteration, taskId, result, ...(regression === undefined ? {} : { regression }) },
  ]);
};
