import type { LoopView, OpenIteration, Step } from "@ralpher/contract";

/**
 * A way of working on a loop, as a pure function of its folded view. It is only asked when the loop may go on: asks of
 * humans, limits and failures are dealt with before, in `nextStep`.
 */
export interface Strategy {
  readonly id: string;
  /** What to do when no iteration is open. */
  begin(view: LoopView): Step;
  /** What to do with the iteration under way; its turn has ended or was interrupted. */
  advance(view: LoopView, open: OpenIteration): Step;
}
