import type { IterationOutcome, LoopView, OpenIteration, Step } from "@ralpher/contract";
import type { Rest } from "./failure-policy.ts";
import type { Ending } from "./stop-conditions.ts";

/** A way of working on a loop, as a pure function of its folded view. Asks of humans are dealt with in `nextStep`. */
export interface Strategy {
  readonly id: LoopView["config"]["strategy"]["type"];
  /** What must be done before there is a workspace; null when nothing. */
  prepare(view: LoopView): Step | null;
  /** What must be known before anything is decided between two iterations; null when it is. */
  look(view: LoopView, now: Date): Step | null;
  /** Why the run ends here, between two iterations; null when it goes on. */
  findEnding(view: LoopView, now: Date): Ending | null;
  /** Until when to let things rest after an iteration; null when the next may begin at once. */
  findRest(view: LoopView, now: Date): Rest | null;
  /** What to do when no iteration is open, and none of that holds it back. */
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
