import { firstLine } from "../first-line.ts";
import type { Loop, LoopState, LoopSummary } from "../loop.ts";
import { isAsking, isElsewhere, isMergeable, type LoopView, limitsOf } from "./view.ts";

/** The loop as the API shows it (seed 004, §3.1 and §3.2). */
export function toLoop(view: LoopView): Loop {
  return { config: view.config, state: toState(view) };
}

/** One line of the list of loops. */
export function toSummary(view: LoopView): LoopSummary {
  const { id, name, directory, createdAt, backend, prompt, strategy } = view.config;
  const {
    git: _git,
    recentIterations,
    id: _id,
    session: _session,
    error: _error,
    queued: _queued,
    pullRequest: _pr,
    workedMs: _worked,
    ...state
  } = toState(view);
  return {
    config: {
      id,
      name,
      directory,
      maxIterations: limitsOf(view).maxIterations,
      createdAt,
      backend: backend.type,
      goal: firstLine(prompt, 160) ?? "",
      strategy: strategy.type,
      ...(strategy.type === "task" ? { file: view.task?.filed?.path ?? view.task?.look?.path ?? strategy.file } : {}),
    },
    state: {
      ...state,
      mergeable: isMergeable(view),
      ...(isElsewhere(view) ? { elsewhere: true } : {}),
      ...(view.task?.look ? { steps: view.task.look.counts } : {}),
      ...(view.task?.filed ? { filed: view.task.filed.place } : {}),
      ...(view.task?.open ? { step: firstLine(view.task.open.step.key, 160) ?? "" } : {}),
      ...(isAsking(view) ? { handOff: view.task?.handOff?.path } : {}),
      outcomes: recentIterations
        .slice(-20)
        .map((done) => [done.outcome, Date.parse(done.completedAt) - Date.parse(done.startedAt)]),
    },
  };
}

function toState(view: LoopView): LoopState {
  return {
    id: view.id,
    status: view.phase.status,
    ...describe(view),
    currentIteration: view.iteration,
    ...(view.startedAt === null ? {} : { startedAt: view.startedAt }),
    ...(view.completedAt === null ? {} : { completedAt: view.completedAt }),
    lastActivityAt: view.lastActivityAt,
    ...(view.session === null ? {} : { session: view.session }),
    ...(view.error === null ? {} : { error: view.error }),
    ...gitState(view),
    workedMs: view.workedMs,
    ...queued(view),
    ...(view.pullRequest === null ? {} : { pullRequest: view.pullRequest }),
    recentIterations: view.recent,
    usage: view.usage,
    ...(view.lastText === null ? {} : { lastText: view.lastText }),
  };
}

function describe(view: LoopView): Pick<LoopState, "asked" | "reason" | "waitingUntil"> {
  const { phase } = view;
  return {
    ...("ask" in phase && phase.ask !== null ? { asked: phase.ask.to } : {}),
    ...("reason" in phase && phase.reason !== null ? { reason: phase.reason } : {}),
    ...(phase.status === "waiting" && phase.until !== null ? { waitingUntil: phase.until } : {}),
  };
}

function queued({ said }: LoopView): Pick<LoopState, "queued"> {
  const waiting = said.filter(({ told }) => !told).map(({ told: _, ...words }) => words);
  return waiting.length === 0 ? {} : { queued: waiting };
}

function gitState(view: LoopView): Pick<LoopState, "git"> {
  const { workspace, phase } = view;
  if (workspace === null || workspace.kind === "plain") return {};
  return {
    git: {
      originalBranch: workspace.originalBranch,
      workingBranch: workspace.workingBranch,
      worktree: workspace.directory,
      baseSha: workspace.baseSha,
      commits: view.commits,
      commitCount: view.commitCount,
      ...(phase.status === "accepted" ? { mergeCommit: phase.mergeCommit } : {}),
    },
  };
}
