import type { TurnFailure } from "@ralpher/contract";

/**
 * What an agent lets on of its dealings with the model's provider. `answer`: a new answer begins; `failed`: a try at it
 * failed, and what follows is not known yet; `retry`: a try failed, and the next begins after `retryAfterMs`.
 */
export type Sign =
  | { kind: "answer" }
  | { kind: "failed"; failure: TurnFailure }
  | { kind: "retry"; failure: TurnFailure };
