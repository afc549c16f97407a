import type { IterationOutcome, LoopView, OpenIteration, Step } from "@ralpher/contract";

/**
 * A way of working on a loop, as a pure function of its folded view. It is only asked when the loop may go on: asks of
 * humans, limits and failures are dealt with before, in `nextStep`.
 */
export interface Strategy {
  readonly id: LoopView["config"]["strategy"]["type"];
  /** What must be done before there is a workspace; null when nothing. */
  prepare(view: LoopView): Step | null;
  /** What to do when no iteration is open. */
  begin(view: LoopView): Step;
  /** What to do with the iteration under way; its turn has ended or was interrupted. */
  advance(view: LoopView, open: OpenIteration): Step;
  /**
   * May the iteration be left between any two of its steps? False: once its turn has ended, its few last steps are taken
   * whatever was asked.
   */
  readonly stepwise: boolean;
  /** Put away the iteration under way before its end: keep what is there, then close it with this outcome. */
  putAway(view: LoopView, open: OpenIteration, outcome: Extract<IterationOutcome, "interrupted" | "error">): Step;
}
