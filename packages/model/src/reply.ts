import type { Script } from "@ralpher/contract";
import { type Answer, createStepAnswer, createTextAnswer } from "./answer.ts";
import type { Refusal } from "./api.ts";
import type { FaultTally } from "./fault-tally.ts";
import type { Place } from "./place.ts";
import type { Query } from "./query.ts";
import type { SideCallAnswer } from "./side-call.ts";

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

/** The answer to a side call; `place` is where the text it is about, or the history before it, is in the script. */
export function chooseSideReply(script: Script, query: Query, place: Place | null, side: SideCallAnswer): Reply {
  // What is too long to answer is too long to sum up. Otherwise opencode would shorten it and try again for ever,
  // because the script cannot notice that it became shorter.
  const shortens = side.kind === "summary" || side.kind === "compaction";
  if (shortens && place?.conversation.steps.some((step) => step.fault?.kind === "overflow")) {
    return { kind: "refusal", refusal: { kind: "overflow", status: 400 }, delayMs: 0 };
  }
  return { kind: "answer", answer: createTextAnswer(side.answer, query, script.usage), delayMs: 0 };
}

function isDue(times: number | undefined, query: Query, place: Place, tally: FaultTally): boolean {
  if (times === undefined) return true;
  const key = JSON.stringify([query.session, place.index, place.promptCount, place.stepIndex]);
  return tally.count(key) <= times;
}
