import { type Gap, isRead, type LoopView, type SodaIteration } from "@ralpher/contract";
import { hasIterationsLeft } from "../offered-actions.ts";

const order: Record<Gap["severity"], number> = { critical: 0, major: 1, minor: 2 };

/** Gaps, the worst first. */
export function bySeverity(gaps: readonly Gap[]): Gap[] {
  return gaps.toSorted((a, b) => order[a.severity] - order[b.severity]);
}

export interface BlockedTask {
  id: string;
  title: string;
  reason: string;
}

/** What a loop that is stuck waits for, as far as its newest iterations tell. */
export interface Stuck {
  reason: string;
  gaps: Gap[];
  blocked: BlockedTask[];
  /** It has used all its iterations: only a higher limit lets it go on. */
  atLimit: boolean;
}

/** Null when it is not stuck. */
export function stuckOf(view: LoopView, iterations: readonly SodaIteration[]): Stuck | null {
  const { phase } = view;
  if (phase.status !== "stuck") return null;
  const judged = iterations.findLast(({ orientation }) => orientation !== null);
  return {
    reason: phase.reason,
    gaps: bySeverity(judged?.orientation?.gaps ?? []),
    blocked: blockedOf(iterations),
    atLimit: !hasIterationsLeft(view),
  };
}

/** Blocked tasks as the newest claims have them, and those that ended so after that; each once, with its newest reason. */
function blockedOf(iterations: readonly SodaIteration[]): BlockedTask[] {
  const from = iterations.findLastIndex(({ claims }) => claims !== null && isRead(claims.work_state));
  const claims = iterations[from]?.claims;
  const found = new Map<string, BlockedTask>();
  if (claims && isRead(claims.work_state)) for (const task of claims.work_state.blocked) found.set(task.id, task);
  for (const { tasks } of iterations.slice(Math.max(0, from))) {
    for (const { id, title, outcome, reason } of tasks) {
      if (outcome === "blocked") found.set(id, { id, title, reason: reason ?? "nobody said why" });
      else if (outcome === "completed") found.delete(id);
    }
  }
  return [...found.values()];
}
