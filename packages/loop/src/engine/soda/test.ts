import type { SodaProgress, TestResult } from "@ralpher/contract";
import type { Performer } from "../execution.ts";
import { requireOpen, requireSoda } from "./requires.ts";

/** What was last found good enough: of the task before it, else the baseline. A test that it mended is not to break again. */
function lastAccepted({ tasks, baseline }: SodaProgress): TestResult {
  const before = tasks.findLast(({ saved, outcome, test }) => saved === "branch" && outcome !== null && test !== null);
  return before?.test ?? baseline ?? { kind: "none" };
}

/** Run the project's tests: for the baseline, or after work on a task, and compare. */
export const performTest: Performer<"test"> = async ({ projects, record, signal }, { iteration, taskId }, view) => {
  const { settings, workspace } = requireSoda(view);
  const { progress } = requireOpen(view);
  const { baseline } = progress;
  // Of two commands the results cannot be compared: one that was chosen meanwhile is for the next baseline.
  const isChosen = settings.test !== undefined && taskId !== null;
  const result = await projects.test({
    directory: workspace.directory,
    command: isChosen && baseline?.kind === "ran" ? baseline.command : settings.test,
    timeoutMs: settings.testTimeoutSeconds * 1000,
    signal,
  });
  // Ended by us: it says nothing, and is run again when the loop goes on.
  if (signal.aborted) return;
  const regression = taskId === null ? undefined : projects.compare(lastAccepted(progress), result);
  await record([
    { type: "loop.tested", iteration, taskId, result, ...(regression === undefined ? {} : { regression }) },
  ]);
};
