import type { EventBody, LoopView, StrategyType } from "@ralpher/contract";
import type { Ending } from "../stop-conditions.ts";
import type { Execution } from "./execution.ts";
import { summarise } from "./soda/summarise.ts";
import { concludeTask } from "./task/conclude.ts";

/** What a strategy leaves for people to find when a run ends: done before the end is recorded, and told with it. */
const conclusions: Record<
  StrategyType,
  (execution: Execution, view: LoopView, ending: Ending) => Promise<EventBody[]>
> = {
  ralph: async () => [],
  soda: summarise,
  task: concludeTask,
};

export async function conclude(execution: Execution, view: LoopView, ending: Ending): Promise<EventBody[]> {
  return await conclusions[view.config.strategy.type](execution, view, ending);
}
