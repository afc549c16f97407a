import { posix } from "node:path";
import {
  type Clock,
  isFault,
  isUnderWay,
  type Journal,
  type LoopView,
  type OpenHandOff,
  TaskConfig,
  type TaskDetail,
  type TaskFile,
  type Vault,
  type VaultProblem,
  type Vaults,
} from "@ralpher/contract";
import { requireTask, whereIs } from "../engine/task/requires.ts";
import { timeoutOf } from "../strategies/task/endings.ts";
import { countersOf, stateFileOf } from "../strategies/task/state-of.ts";

const mostHistory = 500;

export interface TaskDetailParts {
  journal: Journal;
  vaults: Vaults;
  clock: Clock;
}

/** A task as it is now: what the journal knows, and what its vault says. @throws Fault `not_task`, `vault_unusable` */
export async function readTaskDetail(parts: TaskDetailParts, view: LoopView): Promise<TaskDetail> {
  const { task, settings } = requireTask(view);
  const vault = await parts.vaults.open(task.vault ?? view.config.directory);
  // What is wrong with the config stands among the problems of the last look.
  const seen = await vault.readConfig().catch(() => task.look?.config ?? TaskConfig.parse({}));
  const { place, path } = await whereIs(vault, seen, view);
  const { file, problem } = await readFile(vault, path);
  const [hook, waiting, history, handOffText, reportText] = await Promise.all([
    vault.readStopHook(seen),
    vault.readReinjection(seen),
    historyOf(parts.journal, view),
    task.handOff === null ? null : vault.readText(task.handOff.path),
    task.report === null ? null : vault.readText(task.report),
  ]);
  const every = seen.check_reinject_every_n_iterations;
  return {
    vault: vault.root,
    file: settings.file,
    place,
    path,
    title: file?.title ?? task.look?.title ?? view.config.name,
    text: file?.text ?? null,
    steps: file?.steps ?? [],
    working: task.open?.step.key ?? null,
    report: task.open?.report ?? null,
    check: task.open?.check ?? null,
    counters: countersOf(view),
    timeoutAt: isUnderWay(view) ? (timeoutOf(view)?.toISOString() ?? null) : null,
    history,
    handOff: task.handOff === null ? null : { ...asked(task.handOff), text: handOffText },
    waitingPrompt:
      waiting === null || "problem" in waiting
        ? null
        : { text: waiting.file.content.trim(), afterIteration: Math.ceil(view.iteration / every) * every },
    injected:
      task.injection === null
        ? null
        : { iteration: task.injection.iteration, at: task.injection.at, text: task.injection.text },
    stopHook: hook === null ? null : { path: hook.path, reason: String(hook.frontMatter.reason ?? "no reason given") },
    completionReport: task.report === null || reportText === null ? null : { path: task.report, text: reportText },
    stateFile: stateFileNow(view),
    logFile: seen.log_file,
    problems: [...(task.look?.problems ?? []), ...(problem === null ? [] : [problem])],
  };
}

async function readFile(
  vault: Vault,
  path: string | null,
): Promise<{ file: TaskFile | null; problem: VaultProblem | null }> {
  if (path === null) return { file: null, problem: null };
  try {
    return { file: await vault.readTask(path), problem: null };
  } catch (error) {
    if (!isFault(error, "task_file_unusable")) throw error;
    return { file: null, problem: { path, message: error.data.detail } };
  }
}

async function historyOf(journal: Journal, { id: loopId }: LoopView): Promise<TaskDetail["history"]> {
  const events = await journal.read({ loopId, types: ["loop.step.end"], newest: true, limit: mostHistory });
  return events.flatMap((event) => (event.type === "loop.step.end" ? [{ ...event.entry, step: event.step }] : []));
}

/** What is through with is kept in the history, by its run. */
function stateFileNow(view: LoopView): string {
  const { task } = view;
  const path = stateFileOf(view);
  return task?.filed && task.runId !== null ? posix.join(posix.dirname(path), "history", `${task.runId}.json`) : path;
}

function asked({ closed: _, ...handOff }: OpenHandOff): Omit<OpenHandOff, "closed"> {
  return handOff;
}
