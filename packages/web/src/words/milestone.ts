import type { StoredEvent } from "@ralpher/contract";
import type { Meaning } from "./state.ts";
import { formatClock } from "./time.ts";

/** A line in the log about the loop itself. */
export interface Milestone {
  text: string;
  meaning: Meaning;
}

const failureWords: Record<string, string> = {
  rate_limited: "the model's provider limits how often it answers",
  auth: "the provider refused the key",
  model: "the model is not known there",
  missing: "the agent, or its folder, is not there",
  overflow: "the model's context is full",
  timeout: "no answer in time",
  connection: "the connection broke",
  server: "the provider had an error",
  crashed: "the agent ended unexpectedly",
  aborted: "it was ended",
  protocol: "the agent said something that cannot be read",
  budget: "it used up what it was given",
  unknown: "for an unknown reason",
};

/** What an event says about the loop, or null when it has a line of its own kind or none at all. */
export function milestoneOf(event: StoredEvent): Milestone | null {
  switch (event.type) {
    case "loop.created":
      return { text: "Loop made", meaning: "quiet" };
    case "loop.updated":
      return { text: "Settings changed", meaning: "quiet" };
    case "loop.starting":
      return { text: "Started", meaning: "running" };
    case "loop.workspace.ready":
      return event.workspace.kind === "plain"
        ? { text: `Works in ${event.workspace.directory}, without git`, meaning: "quiet" }
        : {
            text: `Works on ${event.workspace.workingBranch}, from ${event.workspace.originalBranch}`,
            meaning: "quiet",
          };
    case "loop.turn.start":
      return event.attempt === 1
        ? null
        : { text: `Tries again, for the ${ordinal(event.attempt)} time`, meaning: "quiet" };
    case "loop.turn.end":
      if (event.failure !== undefined) {
        const why = failureWords[event.failure.reason] ?? "for an unknown reason";
        return { text: `The turn failed: ${why}. ${event.failure.message}`, meaning: "bad" };
      }
      return event.promised ? { text: "The agent promises that the work is done", meaning: "good" } : null;
    case "loop.interrupted":
      return { text: `Interrupted: ${event.reason}`, meaning: "needs-you" };
    case "loop.error":
      return { text: event.error, meaning: "bad" };
    case "loop.waiting":
      return { text: `Waits until ${formatClock(Date.parse(event.until))}: ${event.reason}`, meaning: "quiet" };
    case "loop.pause.requested":
      return { text: event.now ? "Asked to pause now" : "Asked to pause after this iteration", meaning: "quiet" };
    case "loop.paused":
      return { text: "Paused", meaning: "needs-you" };
    case "loop.resumed":
      return { text: "Resumed", meaning: "running" };
    case "loop.stop.requested":
      return { text: `Asked to stop: ${event.reason}`, meaning: "quiet" };
    case "loop.stash.restored":
      return { text: event.note, meaning: "quiet" };
    case "loop.completed":
      return { text: "Completed: ready for your review", meaning: "needs-you" };
    case "loop.stopped":
      return { text: `Stopped: ${event.reason}`, meaning: "quiet" };
    case "loop.failed":
      return { text: `Failed: ${event.reason}`, meaning: "bad" };
    case "loop.max_iterations":
      return { text: `At its limit: ${event.reason}`, meaning: "needs-you" };
    case "loop.stuck":
      return { text: `Stuck: ${event.reason}`, meaning: "bad" };
    case "loop.accepted":
      return { text: `Accepted: merged as ${event.mergeCommit.slice(0, 8)}`, meaning: "good" };
    case "loop.target.changed":
      return { text: `Merges into ${event.branch} from now on`, meaning: "quiet" };
    case "loop.discarded":
      return { text: "Discarded", meaning: "quiet" };
    default:
      return null;
  }
}

function ordinal(n: number): string {
  const words = ["first", "second", "third", "fourth", "fifth"];
  return words[n - 1] ?? `${n}th`;
}
