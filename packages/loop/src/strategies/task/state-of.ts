import { posix } from "node:path";
import {
  type EndStatus,
  type LoopView,
  limitsOf,
  type TaskCounters,
  type TaskHistoryEntry,
  type TaskState,
  type TaskView,
  toSecond,
} from "@ralpher/contract";

/** What a run is called in its vault: `loop_20260215_103000`. */
export function runIdOf(createdAt: string): string {
  const [day = "", time = ""] = toSecond(createdAt).slice(0, -1).split("T");
  return `loop_${day.replaceAll("-", "")}_${time.replaceAll(":", "")}`;
}

/** The state file of a run; one that shares the vault with others has its own. */
export function stateFileOf(view: LoopView, config = view.task?.look?.config): string {
  const path = config?.state_file ?? ".state/autonomous_loop_state.json";
  return withSuffix(path, view.task?.stateSuffix ?? null);
}

/** `.state/x.json` → `.state/x.<suffix>.json` */
export function withSuffix(path: string, suffix: string | null): string {
  if (suffix === null) return path;
  const extension = posix.extname(path);
  return `${path.slice(0, path.length - extension.length)}.${suffix}${extension}`;
}

/** The state file's text is wholly made from what the journal knows (T-STATE-1), so it can be made again at any time. */
export function stateOf(
  view: LoopView,
  {
    history,
    version,
    now,
    status,
  }: { history: TaskHistoryEntry[]; version: string; now: Date; status: TaskState["status"] },
): TaskState {
  const { config, task } = view;
  if (task === null || config.strategy.type !== "task") throw new Error(`loop ${view.id} is no task`);
  return {
    loop_id: task.runId ?? runIdOf(config.createdAt),
    task_path: task.look?.path ?? config.strategy.file,
    task_id: task.taskId ?? config.name,
    started_at: toSecond(view.startedAt ?? config.createdAt),
    last_updated: toSecond(now),
    status,
    counters: countersOf(view),
    current_state: {
      current_task: currentTask(task),
      last_action: task.last?.action ?? null,
      last_result: task.last?.result ?? null,
      next_action: task.last?.next ?? null,
    },
    history,
    checkpoints: { last_successful_state: task.lastSuccess },
    metadata: {
      config_file: "/Control/autonomous_loop_config.yaml",
      ralph_loop_version: version,
      started_by: config.strategy.startedBy,
      can_resume: status !== "completed" && status !== "rejected",
      ralpher_loop: view.id,
    },
    ...(task.injection === null
      ? {}
      : {
          last_prompt_injection: {
            iteration: task.injection.iteration,
            timestamp: toSecond(task.injection.at),
            prompt: task.injection.text.slice(0, 200),
          },
        }),
  };
}

export function countersOf(view: LoopView): TaskCounters {
  const { maxIterations = 0, failureThreshold } = limitsOf(view);
  return {
    iterations: view.iteration,
    max_iterations: maxIterations,
    consecutive_failures: view.failures,
    failure_threshold: failureThreshold,
    total_successes: view.task?.successes ?? 0,
    total_failures: view.task?.failures ?? 0,
  };
}

function currentTask({ look, last }: TaskView): string | null {
  return look?.steps.find(({ done, isParent }) => !done && !isParent)?.key ?? last?.step ?? null;
}

/** What the state file says of a run that ended so. */
export function endedAs(view: LoopView, as: EndStatus): TaskState["status"] {
  if (as === "stuck") return "timeout";
  return as === "stopped" && isRejected(view) ? "rejected" : as;
}

/** Did a human call the task off? */
export function isRejected({ task }: LoopView): boolean {
  return task?.verdict === "reject" || (task?.verdict === null && task.look?.place === "rejected");
}
