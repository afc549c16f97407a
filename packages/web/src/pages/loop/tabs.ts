import type { LoopView } from "@ralpher/contract";

export type TabName =
  | "task"
  | "soda"
  | "log"
  | "changes"
  | "plan"
  | "status"
  | "spec"
  | "work-items"
  | "iterations"
  | "git";

export const tabTitles: Record<TabName, string> = {
  task: "Task",
  soda: "SODA",
  log: "Log",
  changes: "Changes",
  plan: "Plan",
  status: "Status",
  spec: "Spec",
  "work-items": "Work items",
  iterations: "Iterations",
  git: "Git",
};

/** The tabs of a loop: one without git has no branch to show the changes of. */
export function tabsOf({ config, workspace }: LoopView): TabName[] {
  if (config.strategy.type === "soda") return ["soda", "log", "changes", "spec", "work-items", "iterations", "git"];
  // A task works in its vault itself.
  if (config.strategy.type === "task") return ["task", "log", "iterations"];
  const git = workspace === null ? config.git.enabled : workspace.kind !== "plain";
  return git ? ["log", "changes", "plan", "status", "iterations", "git"] : ["log", "plan", "status", "iterations"];
}

/**
 * The tab that an address names: `changes` in `/:id/changes`. Without a name it is the first one; but with a place in
 * the log (`search`) it is that.
 */
export function tabOf(path: string | undefined, tabs: TabName[], search = ""): TabName {
  const named = tabs.find((name) => name === path);
  if (named !== undefined) return named;
  return search === "" ? (tabs[0] ?? "log") : "log";
}

/** The address of a tab in the line of tabs. */
export function hrefInLine(id: string, tab: TabName, tabs: TabName[]): string {
  return tab === tabs[0] ? `/${id}` : `/${id}/${tab}`;
}

/** The address of a tab, with what it should show. */
export function hrefOf(id: string, tab: TabName, query: Record<string, string | number> = {}): string {
  const entries = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const search = entries.length === 0 ? "" : `?${new URLSearchParams(entries as [string, string][])}`;
  return `/${id}${tab === "log" ? "" : `/${tab}`}${search}`;
}
