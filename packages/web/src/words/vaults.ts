import type { LoopSummary } from "@ralpher/contract";

/** The vaults that task loops work in, the most lately used first. */
export function vaultsOf(loops: Iterable<LoopSummary>): string[] {
  const tasks = [...loops].filter(({ config }) => config.strategy === "task");
  tasks.sort((a, b) => (lastOf(a) < lastOf(b) ? 1 : -1));
  return [...new Set(tasks.map(({ config }) => config.directory))];
}

/** The address of a vault's page. */
export function vaultHref(directory: string): string {
  return `/vault?${new URLSearchParams({ directory })}`;
}

const lastOf = ({ config, state }: LoopSummary) => state.lastActivityAt ?? config.createdAt;
