import type { LoopId, LoopSummary } from "@ralpher/contract";

/** The lines of all loops. Replaced, never changed. */
export interface LoopsState {
  loops: ReadonlyMap<LoopId, LoopSummary>;
  /** Seen as deleted: a line that was still on its way must not bring them back. */
  deleted: ReadonlySet<LoopId>;
}

export const noLoops: LoopsState = { loops: new Map(), deleted: new Set() };

export type LineArrival = { type: "loop.summary"; summary: LoopSummary } | { type: "loop.deleted"; loopId: LoopId };

/** Take over a freshly read list; what is not in it is gone. A line we know to be newer stays. */
export function takeList(state: LoopsState, list: LoopSummary[]): LoopsState {
  const loops = new Map<LoopId, LoopSummary>();
  for (const line of list) {
    if (state.deleted.has(line.config.id)) continue;
    const known = state.loops.get(line.config.id);
    loops.set(line.config.id, known !== undefined && isOlder(line, known) ? known : line);
  }
  return { ...state, loops };
}

/** Fold a batch of arrivals: each line takes the place of the one before. */
export function foldLines(state: LoopsState, arrivals: LineArrival[]): LoopsState {
  if (arrivals.length === 0) return state;
  const loops = new Map(state.loops);
  const deleted = new Set(state.deleted);
  for (const arrival of arrivals) {
    if (arrival.type === "loop.deleted") {
      deleted.add(arrival.loopId);
      loops.delete(arrival.loopId);
      continue;
    }
    const { summary } = arrival;
    const known = loops.get(summary.config.id);
    if (deleted.has(summary.config.id) || (known !== undefined && isOlder(summary, known))) continue;
    loops.set(summary.config.id, summary);
  }
  return { loops, deleted };
}

function isOlder(a: LoopSummary, b: LoopSummary): boolean {
  return (a.state.lastActivityAt ?? "") < (b.state.lastActivityAt ?? "");
}
