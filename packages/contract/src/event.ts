import { z } from "zod";
import { MessageKind, SessionRef, ToolCall, TurnFailure, Usage } from "./agent.ts";
import { event, iteration } from "./event-shape.ts";
import { GitCommit, HandleUncommitted, UpdateMethod, WebUrl, Workspace } from "./git.ts";
import { Timestamp } from "./ids.ts";
import { IterationOutcome } from "./iteration.ts";
import { LoopConfig, LoopError, LoopState, LoopSummary } from "./loop.ts";
import { sodaEvents } from "./soda/event.ts";
import { taskEvents } from "./task/event.ts";
import { TurnRole } from "./turn-role.ts";
import { WorkItemId } from "./work-item.ts";

/**
 * Durable events: journaled in order before anybody sees them; a loop's state is the fold of its own. The names of
 * seed 004 (§3.3) are kept; the others follow its style.
 */
export const DurableEvent = z.discriminatedUnion("type", [
  event("loop.created", { config: LoopConfig }),
  event("loop.updated", { config: LoopConfig }),
  event("loop.starting", {
    handleUncommitted: HandleUncommitted.optional(),
    /** Of a task, whose failures otherwise go on counting where they were. */
    resetFailures: z.boolean().optional(),
  }),
  event("loop.workspace.ready", { workspace: Workspace }),
  /** The workspace is ready and the first iteration may begin; `iteration` is the number of that iteration. */
  event("loop.started", { iteration }),
  event("loop.iteration.start", { iteration }),
  /** An attempt at the iteration's turn. A second attempt follows only an interrupted one. */
  event("loop.turn.start", {
    iteration,
    attempt: z.int().positive(),
    prompt: z.string(),
    /** The seqs of the human words that the prompt tells. */
    said: z.array(z.int().positive()).optional(),
    /** What the agent is there for, where an iteration has several turns. */
    role: TurnRole.optional(),
    /** The work item it works on. */
    taskId: WorkItemId.optional(),
  }),
  event("loop.session", { iteration, session: SessionRef }),
  event("loop.message", {
    iteration,
    message: z.object({ id: z.string(), role: z.literal("assistant"), kind: MessageKind, content: z.string() }),
  }),
  event("loop.tool_call", { iteration, tool: ToolCall }),
  /** Something worth telling a person that changes nothing: a retry, a failed hook, a shortened output. */
  event("loop.notice", { iteration: z.int().nonnegative(), text: z.string() }),
  event("loop.turn.end", {
    iteration,
    /** The final text matched the stop pattern. */
    promised: z.boolean(),
    failure: TurnFailure.optional(),
    usage: Usage,
  }),
  /**
   * The turn that was under way is over without a result. `asked`: a human, or the end of this process, ended it; `died`:
   * the process that ran it is gone.
   */
  event("loop.interrupted", {
    iteration: z.int().nonnegative(),
    cause: z.enum(["asked", "died"]),
    reason: z.string(),
    usage: Usage.optional(),
  }),
  event("loop.git.commit", { iteration: z.int().nonnegative(), commit: GitCommit }),
  /** The iteration's changes, or those of one of its tasks, are in git as far as there were any. `branch`: on this one. */
  event("loop.git.saved", {
    iteration,
    head: z.string().nullable(),
    taskId: WorkItemId.optional(),
    branch: z.string().optional(),
  }),
  event("loop.iteration.end", { iteration, outcome: IterationOutcome }),
  event("loop.error", { iteration: z.int().nonnegative(), error: z.string() }),
  event("loop.waiting", { until: Timestamp, reason: z.string() }),
  event("loop.pause.requested", { now: z.boolean() }),
  event("loop.paused", {}),
  event("loop.resumed", {}),
  event("loop.stop.requested", { reason: z.string() }),
  /** A human's words for the next turn. */
  event("loop.said", { text: z.string(), now: z.boolean() }),
  event("loop.unsaid", { said: z.int().positive() }),
  event("loop.stash.restored", { note: z.string() }),
  event("loop.completed", { totalIterations: z.int().nonnegative() }),
  event("loop.stopped", { reason: z.string() }),
  event("loop.failed", { reason: z.string(), error: LoopError.optional() }),
  event("loop.max_iterations", { reason: z.string() }),
  event("loop.stuck", { reason: z.string() }),
  event("loop.accepted", { mergeCommit: z.string() }),
  event("loop.discarded", {}),
  /** A discard was undone: the branch is back where it was. */
  event("loop.restored", { head: z.string() }),
  /** The branch got what its target had got; the loop's own changes now begin at `baseSha`. */
  event("loop.branch.updated", { method: UpdateMethod, baseSha: z.string(), head: z.string() }),
  /** A human chose another branch for it to merge into. */
  event("loop.target.changed", { branch: z.string() }),
  event("loop.pushed", { remote: z.string(), branch: z.string(), head: z.string() }),
  event("loop.pull_request", { url: WebUrl }),
  /** The loop came from elsewhere; whatever events it brought along come before this. */
  event("loop.imported", { config: LoopConfig, state: LoopState }),
  event("loop.deleted", {}),
  ...sodaEvents,
  ...taskEvents,
]);
export type DurableEvent = z.infer<typeof DurableEvent>;

/**
 * Ephemeral events: for those who watch now. A run of them always ends with the durable whole, so losing some loses
 * nothing.
 */
export const EphemeralEvent = z.discriminatedUnion("type", [
  /** A piece of text the agent is writing; the whole follows as `loop.message` with the same message id. */
  event("loop.progress", {
    iteration,
    messageId: z.string(),
    kind: MessageKind,
    content: z.string(),
    /** `content` is the whole text so far, not a piece: it takes the place of what came before. */
    restart: z.boolean().optional(),
  }),
  /** A tool that began; `loop.tool_call` with the same id follows when it ends. */
  event("loop.tool_call.start", {
    iteration,
    tool: z.object({ id: z.string(), name: z.string(), input: z.unknown() }),
  }),
  /** The loop's line in the list, as it is now; sent a few times a second at most. */
  event("loop.summary", { summary: LoopSummary }),
]);
export type EphemeralEvent = z.infer<typeof EphemeralEvent>;

export type LoopEvent = DurableEvent | EphemeralEvent;

/** A durable event with its place in the journal: positive, strictly rising over all loops, never reused. */
export type StoredEvent = DurableEvent & { seq: number };

/** Distribute `Omit` over the union, so that an event can be written down before its loop and time are known. */
export type EventBody = DurableEvent extends infer E
  ? E extends DurableEvent
    ? Omit<E, "loopId" | "at">
    : never
  : never;
