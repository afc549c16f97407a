import { type EventBody, isFault, type LoopView, shortId } from "@ralpher/contract";
import { readSoda } from "../../soda-report.ts";
import type { Ending } from "../../stop-conditions.ts";
import { ourSources } from "../../strategies/soda/others-changes.ts";
import { summaryText } from "../../strategies/soda/summary-text.ts";
import type { Execution } from "../execution.ts";

/** Write what came of the run where people find it; what cannot be written is told, and keeps nothing from ending. */
export async function summarise(execution: Execution, view: LoopView, ending: Ending): Promise<EventBody[]> {
  const { soda } = view;
  if (soda === null || soda.project === null) return [];
  const { clock, projects } = execution;
  try {
    if (ending.as === "completed") await closeRoot(execution, view);
    const now = clock.now();
    const text = summaryText(view, await readSoda(execution, view), ending, now);
    const name = `${now.toISOString().slice(0, 19).replaceAll(":", "-")}-${shortId(view.id)}.md`;
    const path = await projects.writeSummary(soda.project, name, text);
    return [{ type: "loop.summarised", path, text }];
  } catch (error) {
    if (!isFault(error)) throw error;
    return [
      { type: "loop.notice", iteration: view.iteration, text: `The summary could not be written: ${error.message}` },
    ];
  }
}

/** The milestone is reached; tasks that were left open stay so, and it with them. */
async function closeRoot({ openWorkItems }: Execution, { soda, workspace, config }: LoopView): Promise<void> {
  if (!soda?.root) return;
  await using items = openWorkItems(workspace?.directory ?? config.directory);
  const root = await items.require(soda.root.id);
  if (root.status === "closed") return;
  await items.close([root.id], {
    message: "Every acceptance criterion of the spec is satisfied.",
    source: ourSources.soda,
  });
}
