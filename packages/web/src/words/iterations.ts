import type { IterationDetail, IterationOutcome, IterationSummary, LoopView, Usage } from "@ralpher/contract";
import { openIteration } from "@ralpher/contract";
import type { IterationSpan } from "../feed/log.ts";
import { plural } from "./count.ts";

/** An iteration on the timeline. Times in epoch milliseconds; what is not known of it is null. */
export interface TimelineCell {
  iteration: number;
  startedAt: number | null;
  endedAt: number | null;
  /** Null while it is open, or not known any more. */
  outcome: IterationOutcome | null;
  /** The same in a word or two. */
  ended: string | null;
  open: boolean;
  commits: number;
  /** How many times a human had said something to it. */
  said: number;
  tools: number | null;
  usage: Usage | null;
}

/** More than this cannot be told apart on one line. */
const mostCells = 200;

/**
 * The newest iterations of a loop, oldest first: from its view, and for older ones from what was read of them in detail
 * or is loaded of its log.
 */
export function timelineOf(
  view: LoopView,
  spans: ReadonlyMap<number, IterationSpan>,
  details: ReadonlyMap<number, IterationDetail> = new Map(),
): TimelineCell[] {
  const oldest = Math.max(1, view.iteration - mostCells + 1);
  const recent = new Map(view.recent.map((summary) => [summary.iteration, summary]));
  const numbers = Array.from({ length: Math.max(0, view.iteration - oldest + 1) }, (_, index) => oldest + index);
  return numbers.map((iteration) => cellOf(view, iteration, recent.get(iteration) ?? details.get(iteration), spans));
}

/** The same by number, for what stands in the log: also of iterations that the timeline has no room for. */
export function cellsByNumber(
  view: LoopView,
  cells: TimelineCell[],
  spans: ReadonlyMap<number, IterationSpan>,
  details: ReadonlyMap<number, IterationDetail>,
): ReadonlyMap<number, TimelineCell> {
  const all = new Map(cells.map((cell) => [cell.iteration, cell]));
  for (const iteration of spans.keys()) {
    if (!all.has(iteration)) all.set(iteration, cellOf(view, iteration, details.get(iteration), spans));
  }
  return all;
}

function cellOf(
  view: LoopView,
  iteration: number,
  known: IterationSummary | IterationDetail | undefined,
  spans: ReadonlyMap<number, IterationSpan>,
): TimelineCell {
  const open = openIteration(view);
  if (open?.number !== iteration) {
    const part = known === undefined ? seen(spans.get(iteration)) : told(known);
    const ended = part.outcome === null ? null : outcomeWordOf(part.outcome, view.task !== null);
    return { iteration, open: false, ended, ...part };
  }
  const { commits, said, toolCallCount, usage } = open;
  const under = { startedAt: Date.parse(open.startedAt), endedAt: null, outcome: null, ended: null, open: true };
  return { iteration, ...under, commits, said: said ?? 0, tools: toolCallCount, usage };
}

type Known = Omit<TimelineCell, "iteration" | "open" | "ended">;

function told(known: IterationSummary | IterationDetail): Known {
  const { startedAt, completedAt, outcome, commits, said, toolCallCount, usage } = known;
  return {
    startedAt: Date.parse(startedAt),
    endedAt: completedAt === undefined ? null : Date.parse(completedAt),
    outcome: outcome ?? null,
    commits: typeof commits === "number" ? commits : commits.length,
    said: said ?? 0,
    tools: toolCallCount,
    usage,
  };
}

function seen(span: IterationSpan | undefined): Known {
  const whole = span?.startedAt != null;
  return {
    startedAt: span?.startedAt ?? null,
    endedAt: span?.endedAt ?? null,
    outcome: span?.outcome ?? null,
    commits: span?.commits ?? 0,
    said: 0,
    tools: whole ? span.tools : null,
    usage: whole ? span.usage : null,
  };
}

/** How an iteration ended, in a word or two; one of a task goes on when its step is done. */
export function outcomeWordOf(outcome: IterationOutcome, isTask: boolean): string {
  return isTask && outcome === "continue" ? "done" : outcomeWord[outcome];
}

const outcomeWord: Record<IterationOutcome, string> = {
  continue: "went on",
  partial: "got on, not done yet",
  complete: "promised done",
  error: "failed",
  interrupted: "interrupted",
  stuck: "needs a human",
};

/** An iteration in a line, for hovers and screen readers. `duration` in words, or null when not known. */
export function describeCell(cell: TimelineCell, duration: string | null): string {
  const parts = [`Iteration ${cell.iteration}`];
  if (cell.open) parts.push("under way");
  else if (cell.ended !== null) parts.push(cell.ended);
  if (duration !== null) parts.push(duration);
  if (cell.commits > 0) parts.push(plural(cell.commits, "commit"));
  if (cell.said > 0) parts.push("you said something to it");
  return parts.join(", ");
}
