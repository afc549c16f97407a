import { type EventBody, type ItemChange, isFault, type LoopView, shortId } from "@ralpher/contract";
import { readSoda } from "../../soda-report.ts";
import type { Ending } from "../../stop-conditions.ts";
import { ourSources } from "../../strategies/soda/others-changes.ts";
import { summaryText } from "../../strategies/soda/summary-text.ts";
import type { Execution } from "../execution.ts";
import { changeOf } from "./change-of.ts";

/** Write what came of the run where people find it; what cannot be written is told, and keeps nothing from ending. */
export async function summarise(execution: Execution, view: LoopView, ending: Ending): Promise<EventBody[]> {
  const { soda } = view;
  if (soda === null || soda.project === null) return [];
  const { clock, projects } = execution;
  try {
    const changes = ending.as === "completed" ? await closeRoot(execution, view) : [];
    const now = clock.now();
    const text = summaryText(view, await readSoda(execution, view), ending, now);
    const name = `${now.toISOString().slice(0, 19).replaceAll(":", "-")}-${shortId(view.id)}.md`;
    const path = await projects.writeSummary(soda.project, name, text);
    return [
      ...(changes.length === 0 ? [] : [{ type: "loop.items.changed" as const, iteration: view.iteration, changes }]),
      { type: "loop.summarised", path, text },
    ];
  } catch (error) {
    if (!isFault(error)) throw error;
    return [
      { type: "loop.notice", iteration: view.iteration, text: `The summary could not be written: ${error.message}` },
    ];
  }
}

const reached = "Every acceptance criterion of the spec is satisfied.";

/** The milestone is reached; tasks that were left open stay so, and it with them. */
async function closeRoot({ openWorkItems }: Execution, { soda, workspace, config }: LoopView): Promise<ItemChange[]> {
  if (!soda?.root) return [];
  await using items = openWorkItems(workspace?.directory ?? config.directory);
  const root = await items.require(soda.root.id);
  if (root.status === "closed") return [];
  const { closed } = await items.close([root.id], { message: reached, source: ourSources.soda });
  return closed.map((item) => changeOf(item, "closed", reached));
}
