import type { StoredEvent } from "../event.ts";
import { firstLine } from "../first-line.ts";
import type { IterationSummary } from "../iteration.ts";
import type { LoopState } from "../loop.ts";
import { blankSoda } from "../soda/view.ts";
import { blankTaskView } from "../task/view.ts";
import { addUsage, unknownUsage } from "../usage.ts";
import { blankIteration, blankView } from "./blank.ts";
import { endStatusOf } from "./end-status.ts";
import { foldSoda } from "./soda.ts";
import { foldTask } from "./task.ts";
import { type Ask, type LoopView, type OpenIteration, openIteration, recentLimit, workedMs } from "./view.ts";

/**
 * Fold one event into a loop's view. Pure and total: an event that does not fit the view (an old client, a foreign
 * import) changes nothing but the position. Returns null once the loop is deleted. The server, the CLI and the
 * dashboard all use this very function.
 */
export function fold(view: LoopView | null, event: StoredEvent): LoopView | null {
  if (event.type === "loop.deleted") return null;
  if (event.type === "loop.created") return create(event);
  if (event.type === "loop.imported" && view === null) return { ...create(event), ...imported(event) };
  if (view === null || event.seq <= view.seq) return view;
  const soda = view.soda === null ? null : foldSoda(view.soda, event);
  const task = view.task === null ? null : foldTask(view, view.task, event);
  return { ...view, ...change(view, event), soda, task, seq: event.seq, lastActivityAt: event.at };
}

/** Fold a run of events, oldest first. */
export function foldAll(view: LoopView | null, events: Iterable<StoredEvent>): LoopView | null {
  let folded = view;
  for (const event of events) folded = fold(folded, event);
  return folded;
}

function create(event: Extract<StoredEvent, { type: "loop.created" | "loop.imported" }>): LoopView {
  const soda = event.config.strategy.type === "soda" ? blankSoda : null;
  const task = event.config.strategy.type === "task" ? blankTaskView : null;
  return { ...blankView, soda, task, seq: event.seq, id: event.loopId, config: event.config, lastActivityAt: event.at };
}

function change(view: LoopView, event: StoredEvent): Partial<LoopView> {
  switch (event.type) {
    case "loop.updated":
      return { config: event.config };
    case "loop.starting":
      return {
        phase: { status: "starting", ask: null, handleUncommitted: event.handleUncommitted ?? null },
        startedAt: view.startedAt ?? event.at,
        completedAt: null,
        failures: view.task === null || event.resetFailures ? 0 : view.failures,
        lastEnd: null,
        error: null,
      };
    case "loop.workspace.ready":
      return { workspace: event.workspace, head: "baseSha" in event.workspace ? event.workspace.baseSha : null };
    case "loop.started":
      return { phase: { status: "waiting", ask: askOf(view), until: null, reason: null } };
    case "loop.iteration.start":
      return {
        iteration: event.iteration,
        phase: { status: "running", ask: askOf(view), open: begin(event) },
      };
    case "loop.turn.start":
      return begun(view, event);
    case "loop.session":
      return { session: event.session };
    case "loop.message":
      return {
        ...inOpen(view, (open) => ({ ...open, messageCount: open.messageCount + 1 })),
        ...(event.message.kind === "text" ? { lastText: firstLine(event.message.content, 200) ?? view.lastText } : {}),
      };
    case "loop.oriented":
      return { lastText: firstLine(assessment(event), 200) ?? view.lastText };
    case "loop.task.reported":
      return { lastText: firstLine(event.report.summary, 200) ?? view.lastText };
    case "loop.tool_call":
      return inOpen(view, (open) => ({ ...open, toolCallCount: open.toolCallCount + 1 }));
    case "loop.turn.end":
      return {
        usage: addUsage(view.usage, event.usage),
        workedMs: workedMs(view, Date.parse(event.at)),
        // A turn that failed may not have got round to what it was told.
        ...(event.failure === undefined ? { said: view.said.filter(({ told }) => !told) } : {}),
        ...inOpen(view, (open) => ({
          ...open,
          usage: addUsage(open.usage, event.usage),
          turn: {
            state: "ended",
            attempt: open.turn.attempt,
            promised: event.promised,
            failure: event.failure ?? null,
          },
        })),
      };
    case "loop.interrupted":
      return interrupt(view, event);
    case "loop.git.commit":
      return {
        commits: [...view.commits, event.commit].slice(-recentLimit),
        commitCount: view.commitCount + 1,
        ...inOpen(view, (open) => ({ ...open, commits: open.commits + 1 })),
      };
    case "loop.git.saved":
      return {
        ...(event.branch === undefined ? { head: event.head } : {}),
        ...(event.taskId === undefined ? inOpen(view, (open) => ({ ...open, saved: true })) : {}),
      };
    case "loop.iteration.end":
      return end(view, event);
    case "loop.error":
      return { error: { message: event.error, iteration: event.iteration, timestamp: event.at } };
    case "loop.waiting":
      return view.phase.status === "waiting"
        ? { phase: { ...view.phase, until: event.until, reason: event.reason } }
        : {};
    case "loop.pause.requested":
      return ask(view, { to: "pause", now: event.now });
    case "loop.stop.requested":
      return ask(view, { to: "stop", reason: event.reason });
    case "loop.said":
      return { said: [...view.said, { seq: event.seq, at: event.at, text: event.text, told: false }] };
    case "loop.unsaid":
      return { said: view.said.filter(({ seq, told }) => seq !== event.said || told) };
    case "loop.paused":
      return { phase: { status: "paused", open: openIteration(view) } };
    case "loop.resumed":
      return { phase: resumed(view), error: null, ...(view.task === null ? { failures: 0 } : {}) };
    case "loop.completed":
    case "loop.stopped":
    case "loop.failed":
    case "loop.max_iterations":
    case "loop.stuck":
      return {
        phase: { status: endStatusOf[event.type], reason: "reason" in event ? event.reason : reachedWords(view) },
        completedAt: event.at,
      };
    case "loop.accepted":
      return { phase: { status: "accepted", mergeCommit: event.mergeCommit } };
    case "loop.discarded":
      return { phase: { status: "discarded" } };
    case "loop.restored":
      return { phase: { status: "stopped", reason: "its work was brought back" }, head: event.head };
    case "loop.branch.updated":
      return { head: event.head, ...rebased(view, event.baseSha) };
    case "loop.target.changed":
      return retargeted(view, event.branch);
    case "loop.branch.merged":
      return event.head === null ? {} : { head: event.head };
    case "loop.spec":
      return { config: { ...view.config, prompt: event.spec.text } };
    case "loop.pull_request":
      return { pullRequest: event.url };
    case "loop.imported":
      return imported(event);
    default:
      return {};
  }
}

/** `2 of 5 criteria: ` and what ORIENT says in all. */
function assessment({ orientation: { criteria, summary } }: Extract<StoredEvent, { type: "loop.oriented" }>): string {
  const satisfied = criteria.filter((verdict) => verdict.satisfied === true).length;
  return criteria.length === 0 ? summary : `${satisfied} of ${criteria.length} criteria: ${summary}`;
}

/** Why a loop counts as completed, in words. */
export function reachedWords({ soda, task }: Pick<LoopView, "soda" | "task">): string {
  if (task !== null) return "the task is done";
  return soda === null ? "the promise was made" : "every acceptance criterion is satisfied";
}

function begin(event: Extract<StoredEvent, { type: "loop.iteration.start" }>): OpenIteration {
  return { ...blankIteration, number: event.iteration, startedAt: event.at };
}

/** A turn begins with what its prompt tells of the words of humans. */
function begun(view: LoopView, event: Extract<StoredEvent, { type: "loop.turn.start" }>): Partial<LoopView> {
  const heard = view.said.filter(({ seq, told }) => !told && event.said?.includes(seq));
  return {
    ...(heard.length === 0
      ? {}
      : { said: view.said.map((words) => (heard.includes(words) ? { ...words, told: true } : words)) }),
    ...inOpen(view, (open) => ({
      ...open,
      said: open.said + heard.length,
      turn: {
        state: "running",
        attempt: event.attempt,
        startedAt: event.at,
        role: event.role ?? null,
        taskId: event.taskId ?? null,
      },
    })),
  };
}

function end(view: LoopView, event: Extract<StoredEvent, { type: "loop.iteration.end" }>): Partial<LoopView> {
  const open = openIteration(view);
  if (open === null) return {};
  const summary: IterationSummary = {
    iteration: open.number,
    startedAt: open.startedAt,
    completedAt: event.at,
    messageCount: open.messageCount,
    toolCallCount: open.toolCallCount,
    outcome: event.outcome,
    usage: open.usage,
    commits: open.commits,
    ...(open.said === 0 ? {} : { said: open.said }),
  };
  const failure = open.turn.state === "ended" ? open.turn.failure : null;
  return {
    phase: { status: "waiting", ask: askOf(view), until: null, reason: null },
    recent: [...view.recent, summary].slice(-recentLimit),
    lastEnd: { outcome: event.outcome, at: event.at, failure },
    failures: failuresAfter(view, event.outcome, failure?.reason === "rate_limited"),
  };
}

/** A rate limit is the provider's state, not the work's: it neither counts as a failure nor clears the count. */
function failuresAfter(view: LoopView, outcome: IterationSummary["outcome"], rateLimited: boolean): number {
  if (outcome === "error") return rateLimited ? view.failures : view.failures + 1;
  return outcome === "interrupted" || outcome === "partial" ? view.failures : 0;
}

function askOf(view: LoopView): Ask | null {
  return "ask" in view.phase ? view.phase.ask : null;
}

function ask(view: LoopView, wanted: Ask): Partial<LoopView> {
  return "ask" in view.phase ? { phase: { ...view.phase, ask: wanted } } : {};
}

function inOpen(view: LoopView, update: (open: OpenIteration) => OpenIteration): Partial<LoopView> {
  if (view.phase.status === "running") return { phase: { ...view.phase, open: update(view.phase.open) } };
  return {};
}

function interrupt(view: LoopView, event: Extract<StoredEvent, { type: "loop.interrupted" }>): Partial<LoopView> {
  const usage = event.usage ?? unknownUsage;
  return {
    usage: addUsage(view.usage, usage),
    // Nobody worked from the death of the process until another noticed.
    workedMs: workedMs(view, Date.parse(event.cause === "died" ? view.lastActivityAt : event.at)),
    ...inOpen(view, (open) => ({
      ...open,
      usage: addUsage(open.usage, usage),
      deaths: open.deaths + (event.cause === "died" ? 1 : 0),
      turn: open.turn.state === "running" ? { state: "interrupted", attempt: open.turn.attempt } : open.turn,
    })),
  };
}

function resumed(view: LoopView): LoopView["phase"] {
  if ("ask" in view.phase) return { ...view.phase, ask: null };
  const open = openIteration(view);
  if (open !== null) return { status: "running", ask: null, open };
  if (view.workspace === null) return { status: "starting", ask: null, handleUncommitted: null };
  return { status: "waiting", ask: null, until: null, reason: null };
}

function rebased({ workspace }: LoopView, baseSha: string): Partial<LoopView> {
  return workspace === null || workspace.kind === "plain" ? {} : { workspace: { ...workspace, baseSha } };
}

function retargeted({ workspace }: LoopView, originalBranch: string): Partial<LoopView> {
  return workspace === null || workspace.kind === "plain" ? {} : { workspace: { ...workspace, originalBranch } };
}

/** What another Ralpher knew of it, at rest and without a workspace: its branch and worktree are not here. */
function imported({ config, state }: Extract<StoredEvent, { type: "loop.imported" }>): Partial<LoopView> {
  return {
    config,
    phase: restOf(state),
    workspace: null,
    head: null,
    iteration: state.currentIteration,
    lastEnd: null,
    failures: 0,
    recent: state.recentIterations.slice(-recentLimit),
    commits: (state.git?.commits ?? []).slice(-recentLimit),
    commitCount: state.git?.commitCount ?? 0,
    usage: state.usage,
    session: null,
    error: state.error ?? null,
    lastText: state.lastText ?? null,
    said: [],
    pullRequest: state.pullRequest ?? null,
    workedMs: state.workedMs ?? 0,
    startedAt: state.startedAt ?? null,
    completedAt: state.completedAt ?? null,
  };
}

function restOf({ status, reason, git }: LoopState): LoopView["phase"] {
  switch (status) {
    case "idle":
    case "discarded":
      return { status };
    case "accepted":
      return { status, mergeCommit: git?.mergeCommit ?? "" };
    case "starting":
    case "running":
    case "waiting":
    case "paused":
      return { status: "stopped", reason: `it was ${status} when it was exported` };
    default:
      return { status, reason: reason ?? "as it was exported" };
  }
}
