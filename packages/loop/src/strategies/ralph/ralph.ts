import type { LoopView, OpenIteration, Step } from "@ralpher/contract";
import { restUntil } from "../../failure-policy.ts";
import { findEnding } from "../../stop-conditions.ts";
import type { Strategy } from "../../strategy.ts";
import { ralphPrompt } from "./prompt.ts";

/** The same prompt to a fresh session, again and again, a commit after each, until the promise (seed 004). */
export const ralph: Strategy = {
  id: "ralph",

  stepwise: false,
  prepare: () => null,
  look: () => null,
  findEnding,
  findRest: restUntil,

  begin: (view) => turn(view, view.iteration + 1, 1),

  advance(view, open) {
    const { number, turn: state } = open;
    if (state.state !== "ended") return turn(view, number, state.attempt + 1);
    if (!open.saved) return { do: "commit", iteration: number, message: commitMessage(view, open) };
    return {
      do: "close",
      iteration: number,
      outcome: state.failure !== null ? "error" : state.promised ? "complete" : "continue",
    };
  },

  putAway(view, open, outcome) {
    const message = `${view.config.git.commitPrefix} Iteration ${open.number} (stopped)`;
    if (!open.saved) return { do: "commit", iteration: open.number, message };
    return { do: "close", iteration: open.number, outcome };
  },
};

function turn(view: LoopView, iteration: number, attempt: number): Step {
  return {
    do: "turn",
    iteration,
    attempt,
    prompt: ralphPrompt(view.config, iteration, view.said),
    said: view.said.map(({ seq }) => seq),
  };
}

const longestSubject = 100;

/** `[Ralph] Iteration 3: what the agent said of it`. */
function commitMessage(view: LoopView, open: OpenIteration): string {
  const said = open.messageCount > 0 ? (view.lastText ?? "").replace(/<promise>.*?<\/promise>/g, "").trim() : "";
  const subject = `${view.config.git.commitPrefix} Iteration ${open.number}${said === "" ? "" : `: ${said}`}`;
  return subject.length <= longestSubject ? subject : `${subject.slice(0, longestSubject - 1).trimEnd()}…`;
}
