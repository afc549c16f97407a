import type { IterationOutcome, LoopView, Usage } from "@ralpher/contract";
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
  open: boolean;
  commits: number;
  tools: number | null;
  usage: Usage | null;
}

/** More than this cannot be told apart on one line. */
const mostCells = 200;

/** The newest iterations of a loop, oldest first: from its view, and for older ones from what is loaded of its log. */
export function timelineOf(view: LoopView, spans: ReadonlyMap<number, IterationSpan>): TimelineCell[] {
  const recent = new Map(view.recent.map((summary) => [summary.iteration, summary]));
  const open = openIteration(view);
  const cells: TimelineCell[] = [];
  for (let iteration = Math.max(1, view.iteration - mostCells + 1); iteration <= view.iteration; iteration += 1) {
    const done = recent.get(iteration);
    const span = spans.get(iteration);
    if (open?.number === iteration) {
      const { commits, toolCallCount, usage } = open;
      const startedAt = Date.parse(open.startedAt);
      cells.push({
        iteration,
        startedAt,
        endedAt: null,
        outcome: null,
        open: true,
        commits,
        tools: toolCallCount,
        usage,
      });
    } else if (done !== undefined) {
      cells.push({
        iteration,
        startedAt: Date.parse(done.startedAt),
        endedAt: Date.parse(done.completedAt),
        outcome: done.outcome,
        open: false,
        commits: done.commits,
        tools: done.toolCallCount,
        usage: done.usage,
      });
    } else {
      cells.push({
        iteration,
        startedAt: span?.startedAt ?? null,
        endedAt: span?.endedAt ?? null,
        outcome: span?.outcome ?? null,
        open: false,
        commits: span?.commits ?? 0,
        tools: span?.startedAt == null ? null : span.tools,
        usage: span?.startedAt == null ? null : span.usage,
      });
    }
  }
  return cells;
}

/** How an iteration ended, in a word or two. */
export const outcomeWord: Record<IterationOutcome, string> = {
  continue: "went on",
  complete: "promised done",
  error: "failed",
  interrupted: "interrupted",
};

/** An iteration in a line, for hovers and screen readers. `duration` in words, or null when not known. */
export function describeCell(cell: TimelineCell, duration: string | null): string {
  const parts = [`Iteration ${cell.iteration}`];
  if (cell.open) parts.push("under way");
  else if (cell.outcome !== null) parts.push(outcomeWord[cell.outcome]);
  if (duration !== null) parts.push(duration);
  if (cell.commits > 0) parts.push(plural(cell.commits, "commit"));
  return parts.join(", ");
}
