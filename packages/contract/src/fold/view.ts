import type { SessionRef, TurnFailure, Usage } from "../agent.ts";
import type { GitCommit, HandleUncommitted, Workspace } from "../git.ts";
import type { LoopId, Timestamp } from "../ids.ts";
import type { IterationOutcome, IterationSummary } from "../iteration.ts";
import type { EndStatus, LoopConfig, LoopError, LoopStatus, QueuedWords } from "../loop.ts";
import type { SodaView } from "../soda/view.ts";
import { taskLimits } from "../task/limits.ts";
import type { TaskView } from "../task/view.ts";
import type { TurnRole } from "../turn-role.ts";
import { endStatusOf } from "./end-status.ts";

/** The newest turn of the iteration under way. Only one process holds a running turn: the one with the loop's lease. */
export type TurnView =
  | { state: "pending"; attempt: number }
  | { state: "running"; attempt: number; startedAt: Timestamp; role: TurnRole | null; taskId: string | null }
  | { state: "interrupted"; attempt: number }
  | { state: "ended"; attempt: number; promised: boolean; failure: TurnFailure | null };

/** An iteration that has begun and not yet ended. */
export interface OpenIteration {
  number: number;
  startedAt: Timestamp;
  turn: TurnView;
  /** How often the process that ran its turn died. */
  deaths: number;
  /** Its changes are in git. */
  saved: boolean;
  messageCount: number;
  toolCallCount: number;
  commits: number;
  /** How many times a human had said something to it. */
  said: number;
  usage: Usage;
}

/** What a human asked of a loop that is under way. */
export type Ask = { to: "pause"; now: boolean } | { to: "stop"; reason: string };

/** What a loop is doing, one shape per status, so that only sensible combinations exist. */
export type Phase =
  | { status: "idle" }
  | { status: "starting"; ask: Ask | null; handleUncommitted: HandleUncommitted | null }
  | { status: "running"; ask: Ask | null; open: OpenIteration }
  | { status: "waiting"; ask: Ask | null; until: Timestamp | null; reason: string | null }
  /** `open` is an iteration whose turn was interrupted; it is tried again on resume. */
  | { status: "paused"; open: OpenIteration | null }
  | { status: EndStatus; reason: string }
  | { status: "accepted"; mergeCommit: string }
  | { status: "discarded" };

/** A loop as folded from its events: what decides, what is shown, what recovery starts from. Bounded in size. */
export interface LoopView {
  /** Place in the journal of the last event folded. */
  seq: number;
  id: LoopId;
  config: LoopConfig;
  phase: Phase;
  workspace: Workspace | null;
  /** The commit the working branch was at when last saved; null without git. */
  head: string | null;
  /** The number of the newest iteration, 0 before the first. */
  iteration: number;
  lastEnd: { outcome: IterationOutcome; at: Timestamp; failure: TurnFailure | null } | null;
  /** Failed iterations in a row. */
  failures: number;
  /** Newest last, at most `recentLimit`. */
  recent: IterationSummary[];
  /** Newest last, at most `recentLimit`. */
  commits: GitCommit[];
  commitCount: number;
  usage: Usage;
  session: SessionRef | null;
  error: LoopError | null;
  lastText: string | null;
  /** What humans said, oldest first, until a turn that knew it ended well. */
  said: (QueuedWords & { told: boolean })[];
  /** The newest pull request made of it. */
  pullRequest: string | null;
  /** How long agents have worked on it in turns that are over, in milliseconds. */
  workedMs: number;
  /** Of the strategy `soda`; null for others. */
  soda: SodaView | null;
  /** Of the strategy `task`; null for others. */
  task: TaskView | null;
  startedAt: Timestamp | null;
  completedAt: Timestamp | null;
  lastActivityAt: Timestamp;
}

export const recentLimit = 50;

/** How far the loop may go: a task's vault says so, where nobody said otherwise by hand. */
export function limitsOf({ config, task }: LoopView): { maxIterations: number | undefined; failureThreshold: number } {
  const { strategy, maxIterations, failureThreshold } = config;
  if (strategy.type !== "task") return { maxIterations, failureThreshold };
  const vault = task?.look?.config ?? taskLimits;
  return {
    maxIterations: maxIterations ?? vault.max_iterations,
    failureThreshold: strategy.failureThreshold ?? vault.failure_threshold,
  };
}

/** Is somebody meant to be working on it? True from the start until it pauses or ends. */
export function isUnderWay(view: LoopView): boolean {
  const { status } = view.phase;
  return status === "starting" || status === "running" || status === "waiting";
}

/** Can a run of this status still go on to its goal? */
export function isUnfinished(status: LoopStatus): boolean {
  return status !== "completed" && status !== "accepted" && status !== "discarded";
}

/** Is it stuck for something a human can do, and not for having used its iterations? Whoever does it starts it again. */
export function isWakeable({ phase, soda, config, iteration }: LoopView): boolean {
  const left = config.maxIterations === undefined || iteration < config.maxIterations;
  return soda !== null && phase.status === "stuck" && left;
}

function hasEnded({ status }: Phase): boolean {
  return Object.values<string>(endStatusOf).includes(status);
}

/** Does a file in its vault wait for a human's answer? */
export function isAsking({ phase, task }: LoopView): boolean {
  return hasEnded(phase) && task?.handOff?.answer === null;
}

/** Has the loop commits of its own that a merge would bring over? */
export function isMergeable({ workspace, head }: LoopView): boolean {
  return workspace !== null && workspace.kind !== "plain" && head !== workspace.baseSha;
}

/** Was all of it done elsewhere? A loop that begins an iteration here has a workspace by then. */
export function isElsewhere({ workspace, iteration }: LoopView): boolean {
  return workspace === null && iteration > 0;
}

/** How long the turn under way has been going at a time, in milliseconds; 0 when there is none. */
export function turnMs(view: LoopView, at: number): number {
  const turn = openIteration(view)?.turn;
  return turn?.state === "running" ? Math.max(0, at - Date.parse(turn.startedAt)) : 0;
}

/** How long agents have worked on it up to a time, the turn under way included, in milliseconds. */
export function workedMs(view: LoopView, at: number): number {
  return view.workedMs + turnMs(view, at);
}

/** The iteration that has begun and not ended, if any. */
export function openIteration(view: LoopView): OpenIteration | null {
  return "open" in view.phase ? view.phase.open : null;
}
