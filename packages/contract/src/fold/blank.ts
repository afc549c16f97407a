import { unknownUsage } from "../usage.ts";
import type { LoopView, OpenIteration } from "./view.ts";

/** A loop of which nothing is known but its settings. */
export const blankView: Omit<LoopView, "seq" | "id" | "config" | "lastActivityAt"> = {
  phase: { status: "idle" },
  workspace: null,
  head: null,
  iteration: 0,
  lastEnd: null,
  failures: 0,
  recent: [],
  commits: [],
  commitCount: 0,
  usage: unknownUsage,
  session: null,
  error: null,
  lastText: null,
  said: [],
  pullRequest: null,
  workedMs: 0,
  soda: null,
  task: null,
  startedAt: null,
  completedAt: null,
};

/** An iteration in which nothing has happened yet. */
export const blankIteration: Omit<OpenIteration, "number" | "startedAt"> = {
  turn: { state: "pending", attempt: 0 },
  deaths: 0,
  saved: false,
  messageCount: 0,
  toolCallCount: 0,
  commits: 0,
  said: 0,
  usage: unknownUsage,
};

/** A view as an older version stored it: what it could not know is as it is for a loop where none of that happened. */
export function completeView(stored: LoopView): LoopView {
  const view = { ...blankView, ...stored };
  const { phase } = view;
  if (!("open" in phase) || phase.open === null) return view;
  return { ...view, phase: { ...phase, open: { ...blankIteration, ...phase.open } } as LoopView["phase"] };
}
