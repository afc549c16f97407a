import type { LoopView } from "@ralpher/contract";

export type TabName = "log" | "changes" | "plan" | "status" | "iterations" | "git";

export const tabTitles: Record<TabName, string> = {
  log: "Log",
  changes: "Changes",
  plan: "Plan",
  status: "Status",
  iterations: "Iterations",
  git: "Git",
};

/** The tabs of a loop: one without git has no branch to show the changes of. */
export function tabsOf({ config, workspace }: LoopView): TabName[] {
  const git = workspace === null ? config.git.enabled : workspace.kind !== "plain";
  return git ? ["log", "changes", "plan", "status", "iterations", "git"] : ["log", "plan", "status", "iterations"];
}

/** The tab that the end of an address names: `changes` in `/:id/changes`. The log has none; so has what is unknown. */
export function tabOf(path: string | undefined, tabs: TabName[]): TabName {
  return tabs.find((name) => name === path && name !== "log") ?? "log";
}

/** The address of a tab, with what it should show. */
export function hrefOf(id: string, tab: TabName, query: Record<string, string | number> = {}): string {
  const entries = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const search = entries.length === 0 ? "" : `?${new URLSearchParams(entries as [string, string][])}`;
  return `/${id}${tab === "log" ? "" : `/${tab}`}${search}`;
}
