import type { TurnFailure } from "@ralpher/contract";

/** The agent cannot be used at all: thrown on the way to a process or a session, and always caught as a turn's failure. */
export class Unusable extends Error {
  override readonly name = "Unusable";
  readonly failure: TurnFailure;

  constructor(failure: TurnFailure, options?: { cause?: unknown }) {
    super(failure.message, options);
    this.failure = failure;
  }
}
