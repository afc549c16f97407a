import type { LoopView } from "@ralpher/contract";
import { Pane } from "../pane.tsx";
import type { TabName } from "../tabs.ts";
import { TaskTab } from "./task-tab.tsx";

/** The tab that only task loops have. */
export function TaskPanes({
  view,
  tab,
  onIteration,
}: {
  view: LoopView;
  tab: TabName;
  /** Show an iteration in the log. */
  onIteration: (iteration: number) => void;
}) {
  return (
    <Pane active={tab === "task"}>
      <TaskTab view={view} active={tab === "task"} onIteration={onIteration} />
    </Pane>
  );
}
