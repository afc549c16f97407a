import type { LoopView } from "@ralpher/contract";
import { plural } from "./count.ts";
import { ended, plainWords } from "./cut.ts";
import { taskSentence } from "./task-sentence.ts";
import { formatClock, formatUntil } from "./time.ts";

/**
 * A loop's state in a sentence or two: how it stands, and what happens next. `now` in epoch milliseconds.
 */
export function sentenceOf(view: LoopView, now: number): string {
  const { phase, iteration } = view;
  const git = view.workspace !== null && view.workspace.kind !== "plain" ? view.workspace : null;
  const asked = "ask" in phase ? phase.ask : null;
  if (asked?.to === "stop") return "Stopping: the agent is being ended. What it has done so far is kept.";
  if (asked?.to === "pause") {
    if (asked.now || iteration === 0) return "Pausing: the agent is letting go.";
    return `Pauses when iteration ${iteration} ends.`;
  }
  const ofTask = view.task === null ? null : taskSentence(view, view.task);
  if (ofTask !== null) return ofTask;
  switch (phase.status) {
    case "idle":
      return "Not started yet. Start it when you are ready.";
    case "starting":
      return "Preparing its workspace; the first iteration begins by itself.";
    case "running":
      if (phase.open.turn.state === "ended") return `Iteration ${phase.open.number} is being saved.`;
      return `Iteration ${phase.open.number} is under way${triesLeft(view)}.`;
    case "waiting": {
      if (phase.until === null) return "Between two iterations; the next begins by itself.";
      const until = Date.parse(phase.until);
      const why = phase.reason === null ? "" : ` ${ended(plainWords(phase.reason))}`;
      return `Goes on by itself at ${formatClock(until)} (${formatUntil(until, now)}).${why}`;
    }
    case "paused":
      if (phase.open !== null) return `Paused in iteration ${phase.open.number}, which is tried again on resume.`;
      return iteration === 0 ? "Paused before its first iteration." : `Paused after iteration ${iteration}.`;
    case "completed":
      if (view.workspace === null && iteration > 0)
        return "The work was done where it came from. Start it to go on here.";
      if (view.soda !== null && git !== null) {
        return `Every criterion of the spec is satisfied. Review it, then accept to merge it into ${git.originalBranch}.`;
      }
      if (git === null) return "The agent says that the work is done. Look at what it did.";
      return `The agent says that the work is done. Review it, then accept to merge it into ${git.originalBranch}.`;
    case "stopped":
      return `${ended(phase.reason)} Start it to go on from here.`;
    case "failed":
      return `${ended(phase.reason)} Start it to try again from here.`;
    case "max_iterations":
      return `Reached its limit of ${plural(view.config.maxIterations ?? iteration, "iteration")} without a promise that the work is done. Review what is there.`;
    case "stuck":
      return `Waiting for you: ${ended(phase.reason)}`;
    case "accepted":
      return git === null
        ? "Accepted. Nothing is left to do."
        : `Merged into ${git.originalBranch} as ${phase.mergeCommit.slice(0, 8)}. Nothing is left to do.`;
    case "discarded":
      return "Discarded: its branch and its worktree are gone.";
  }
}

function triesLeft(view: LoopView): string {
  if (view.failures === 0) return "";
  return `, after ${plural(view.failures, "failure")} in a row; at ${view.config.failureThreshold} the loop ends`;
}
