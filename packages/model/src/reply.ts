import type { Script } from "@ralpher/contract";
import { type Answer, createStepAnswer, createTextAnswer } from "./answer.ts";
import type { Refusal } from "./api.ts";
import type { FaultTally } from "./fault-tally.ts";
import type { Place } from "./place.ts";
import type { Query } from "./query.ts";

/** The model name every script refuses, to show what a wrong model looks like. */
export const unknownModel = "no-such-model";

/** What to send back. `delayMs`: the wait before the first byte. */
export type Reply = { delayMs: number } & ({ kind: "answer"; answer: Answer } | { kind: "refusal"; refusal: Refusal });

/** What the script says to a request of a conversation; `place` is null when no conversation matches. */
export function chooseReply(script: Script, query: Query, place: Place | null, tally: FaultTally): Reply {
  const say = (text: string): Reply => ({
    kind: "answer",
    answer: createTextAnswer(text, query, script.usage),
    delayMs: 0,
  });
  if (place === null) return say("No conversation of the script matches this prompt.");
  const step = place.conversation.steps[place.stepIndex];
  if (step === undefined) return say("The script is over.");

  const { fault, delayMs } = step;
  if (fault?.kind === "overflow") return { kind: "refusal", refusal: { kind: "overflow", status: 400 }, delayMs };
  if (fault?.kind === "status" && isDue(fault.times, query, place, tally)) {
    return { kind: "refusal", refusal: fault, delayMs };
  }
  return { kind: "answer", answer: createStepAnswer(step, query, script.usage), delayMs };
}

function isDue(times: number | undefined, query: Query, place: Place, tally: FaultTally): boolean {
  if (times === undefined) return true;
  const key = JSON.stringify([query.session, place.index, place.promptCount, place.stepIndex]);
  return tally.count(key) <= times;
}
