import type { TurnFailure } from "@ralpher/contract";

/** What it means that an agent stopped for another reason than that it was done. */
const failures: Record<string, TurnFailure> = {
  cancelled: { reason: "aborted", message: "The agent stopped in the middle. Somebody may have ended the turn there." },
  max_turn_requests: { reason: "budget", message: "The agent asked the model as often as it may in one turn." },
  // The answer, not the prompt, was too long, or was withheld: another try may go better.
  max_tokens: { reason: "unknown", message: "The model's answer was longer than it may be." },
  refusal: { reason: "unknown", message: "The model refuses to answer this." },
};

/** Why a turn failed that the agent stopped, or null when it was done. */
export function failureOfStop(stopReason: string): TurnFailure | null {
  if (stopReason === "end_turn") return null;
  return failures[stopReason] ?? { reason: "protocol", message: `The agent stopped, and calls it "${stopReason}".` };
}
