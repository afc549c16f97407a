import type { TurnFailure } from "@ralpher/contract";

/**
 * What an agent lets on beside the protocol. `life`: it is at work; `answer`: a new answer of the model begins; `failed`:
 * a try at it failed, and what follows is not known yet; `retry`: a try failed, and the next begins after `retryAfterMs`;
 * `asking`: it asks for permission to do this, which the protocol should pass on to us.
 */
export type Sign =
  | { kind: "life" }
  | { kind: "answer" }
  | { kind: "asking"; what: string }
  | { kind: "failed"; failure: TurnFailure }
  | { kind: "retry"; failure: TurnFailure };
