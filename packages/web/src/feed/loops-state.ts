import type { EphemeralEvent, LoopId, LoopSummary } from "@ralpher/contract";

/** A tool that a loop's agent runs. `at` is when it began, an ISO time. */
export interface Doing {
  name: string;
  input: unknown;
  at: string;
}

/** The lines of all loops. Replaced, never changed. */
export interface LoopsState {
  loops: ReadonlyMap<LoopId, LoopSummary>;
  /** What the agents were last seen to begin; see `doingOf`. */
  doing: ReadonlyMap<LoopId, Doing>;
  /** Seen as deleted: a line that was still on its way must not bring them back. */
  deleted: ReadonlySet<LoopId>;
}

export const noLoops: LoopsState = { loops: new Map(), doing: new Map(), deleted: new Set() };

export type LineArrival =
  | { type: "loop.summary"; summary: LoopSummary }
  | { type: "loop.deleted"; loopId: LoopId }
  | Extract<EphemeralEvent, { type: "loop.tool_call.start" }>;

/** Take over a freshly read list; what is not in it is gone. A line we know to be newer stays. */
export function takeList(state: LoopsState, list: LoopSummary[]): LoopsState {
  return { ...state, loops: withLines(new Map(), state, list) };
}

/** Take over a page of the list, the rest of which is still to come. */
export function takePage(state: LoopsState, page: LoopSummary[]): LoopsState {
  return { ...state, loops: withLines(new Map(state.loops), state, page) };
}

function withLines(loops: Map<LoopId, LoopSummary>, state: LoopsState, lines: LoopSummary[]): Map<LoopId, LoopSummary> {
  for (const line of lines) {
    if (state.deleted.has(line.config.id)) continue;
    const known = state.loops.get(line.config.id);
    loops.set(line.config.id, known !== undefined && isOlder(line, known) ? known : line);
  }
  return loops;
}

/** Fold a batch of arrivals: each line takes the place of the one before. What no arrival is about stays the same. */
export function foldLines(state: LoopsState, arrivals: LineArrival[]): LoopsState {
  if (arrivals.length === 0) return state;
  const told = arrivals.some(({ type }) => type === "loop.tool_call.start");
  const others = arrivals.some(({ type }) => type !== "loop.tool_call.start");
  const gone = arrivals.some(({ type }) => type === "loop.deleted");
  // Copied once for all of them: a batch may be hundreds.
  const loops = others ? new Map(state.loops) : (state.loops as Map<LoopId, LoopSummary>);
  const doing = told || gone ? new Map(state.doing) : (state.doing as Map<LoopId, Doing>);
  const deleted = gone ? new Set(state.deleted) : (state.deleted as Set<LoopId>);
  for (const arrival of arrivals) {
    if (arrival.type === "loop.tool_call.start") {
      const { name, input } = arrival.tool;
      doing.set(arrival.loopId, { name, input, at: arrival.at });
    } else if (arrival.type === "loop.deleted") {
      deleted.add(arrival.loopId);
      loops.delete(arrival.loopId);
      doing.delete(arrival.loopId);
    } else {
      const { summary } = arrival;
      const known = loops.get(summary.config.id);
      if (deleted.has(summary.config.id) || (known !== undefined && isOlder(summary, known))) continue;
      loops.set(summary.config.id, summary);
    }
  }
  return { loops, doing, deleted };
}

/** What a loop's agent does now; null when it runs no tool, or that is not known. */
export function doingOf({ state }: LoopSummary, doing: Doing | undefined): Doing | null {
  if (doing === undefined || state.status !== "running") return null;
  // Anything stored after the tool began is at least its end.
  return (state.lastActivityAt ?? "") <= doing.at ? doing : null;
}

function isOlder(a: LoopSummary, b: LoopSummary): boolean {
  return (a.state.lastActivityAt ?? "") < (b.state.lastActivityAt ?? "");
}
