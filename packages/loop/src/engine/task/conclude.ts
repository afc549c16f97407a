import {
  type EventBody,
  fullStop,
  type HandOffChoice,
  type HandOffKind,
  isFault,
  type LoopView,
  limitsOf,
  type Notification,
  openStep,
  TaskConfig,
  type TaskState,
  type Vault,
} from "@ralpher/contract";
import type { Ending } from "../../stop-conditions.ts";
import { endedAs, isRejected, stateFileOf } from "../../strategies/task/state-of.ts";
import type { Execution } from "../execution.ts";
import { closeAnswered } from "./close-answered.ts";
import { commitVault } from "./commit-vault.ts";
import { whereIs } from "./requires.ts";
import { logLine } from "./vault-log.ts";
import { readStateOf, writeStateOf } from "./write-state.ts";

interface Ground {
  vault: Vault;
  config: TaskConfig;
  view: LoopView;
  ending: Ending;
}

/**
 * Leave the vault as the run's end asks: a task that is done or called off is filed away with its state, for all else a
 * human is asked. What cannot be written is told, and keeps nothing from ending.
 */
export async function concludeTask(execution: Execution, view: LoopView, ending: Ending): Promise<EventBody[]> {
  const { task } = view;
  if (!task?.vault) return [];
  try {
    const vault = await execution.vaults.open(task.vault);
    const ground: Ground = { vault, config: task.look?.config ?? TaskConfig.parse({}), view, ending };
    if (ending.as === "completed") return await fileAway(execution, ground, "done");
    if (isRejected(view)) return await fileAway(execution, ground, "rejected");
    return await askHuman(execution, ground);
  } catch (error) {
    if (!isFault(error) || error.code === "disk_full") throw error;
    const text = `The vault could not be told of the end: ${error.message}`;
    return [{ type: "loop.notice", iteration: view.iteration, text }];
  }
}

/** The task's file, its report, and its state go where finished ones lie (T-END-1, T-END-5, T-END-6). */
async function fileAway(execution: Execution, ground: Ground, to: "done" | "rejected"): Promise<EventBody[]> {
  const { vault, config, view, ending } = ground;
  const { strategy } = view.config;
  const { clock } = execution;
  if (strategy.type !== "task") return [];
  const found = await whereIs(vault, config, view);
  const path =
    found.path !== null && found.place === "open" ? await vault.moveTask(config, found.path, to) : found.path;
  const state = await readStateOf(execution, vault, view, endedAs(view, ending.as));
  const filed: TaskState = { ...state, ...(path === null ? {} : { task_path: path }) };
  const now = clock.now();
  const report =
    to === "done"
      ? await vault.writeReport(config, {
          loopId: state.loop_id,
          taskPath: path ?? strategy.file,
          title: titleOf(view),
          outcome: ending.reason,
          state: filed,
          now,
        })
      : null;
  await closeAnswered(vault, view, { place: found.place });
  const unsaved = await orNotice(view, vault.archiveState(config, stateFileOf(view), filed, now));
  await logLine(execution, ground, "INFO", `${filed.status}: ${ending.reason}`);
  const committed = config.commit_steps && view.task?.look ? await commitFiling(execution, ground, filed) : [];
  const event = to === "done" ? "completion" : "stop";
  const told = await notify(ground, {
    event,
    title: titleOf(view),
    message: ending.reason,
    path: report ?? path ?? "",
  });
  return [
    ...unsaved,
    ...committed,
    ...told,
    { type: "loop.task.filed", path: path ?? strategy.file, place: to, report },
  ];
}

/** In git, too, the task is where it was put. */
async function commitFiling(
  execution: Execution,
  { view }: Ground,
  { task_id: taskId, status }: TaskState,
): Promise<EventBody[]> {
  return await commitVault(execution, view, `${view.config.git.commitPrefix} ${taskId}: ${status}`);
}

const asks: Record<string, { kind: HandOffKind; choices: HandOffChoice[]; event: Notification["event"] }> = {
  max_iterations: {
    kind: "escalation",
    choices: ["more_iterations", "skip_step", "complete", "reject"],
    event: "max_iterations",
  },
  stuck: { kind: "escalation", choices: ["retry", "skip_step", "complete", "reject"], event: "max_iterations" },
  failed: { kind: "error_report", choices: ["retry", "skip_step", "complete", "reject"], event: "failure" },
  stopped: { kind: "stop_report", choices: ["retry", "complete", "reject"], event: "stop" },
};

/** The state stays, and a file asks what next (T-END-2, T-END-3, T-END-4, T-END-7). */
async function askHuman(execution: Execution, ground: Ground): Promise<EventBody[]> {
  const { vault, config, view, ending } = ground;
  const { task } = view;
  const ask = asks[ending.as];
  if (ask === undefined || task === null) return [];
  await closeAnswered(vault, view, { place: task.look?.place ?? "open" });
  const status = endedAs(view, ending.as);
  const state = await readStateOf(execution, vault, view, status);
  // A human is asked also where the state cannot be kept.
  const unsaved = await orNotice(view, writeStateOf(execution, vault, view, { status }));
  const { look } = task;
  const isGone = look?.place === "gone";
  const choices = isGone ? ask.choices.filter((choice) => choice === "retry" || choice === "reject") : ask.choices;
  const path = await vault.writeHandOff(config, {
    kind: ask.kind,
    iteration: view.iteration,
    loopId: state.loop_id,
    taskPath: state.task_path,
    title: titleOf(view),
    happened: happened(view, ending),
    step: look === null ? null : (openStep(look)?.text ?? null),
    // What was mended since is no news.
    errors: view.failures > 0 || ending.as === "failed" ? task.errors : [],
    ...(task.output === null || view.failures === 0 ? {} : { output: task.output }),
    tried: task.tried,
    choices,
    commands: commandsOf(ground, choices),
    ...(look?.stopHook && ending.as === "stopped" ? { frontMatter: look.stopHook.frontMatter } : {}),
    now: execution.clock.now(),
  });
  const isBad = ending.as === "failed";
  await logLine(execution, ground, isBad ? "ERROR" : "WARNING", `${state.status}: ${ending.reason}; see ${path}`);
  const { event } = ask;
  const told = await notify(ground, { event, title: titleOf(view), message: ending.reason, path });
  return [...unsaved, ...told, { type: "loop.handed_off", kind: ask.kind, path, choices }];
}

/** What could not be done, as a notice. A full disk is for the whole loop. */
async function orNotice(view: LoopView, work: Promise<unknown>): Promise<EventBody[]> {
  try {
    await work;
    return [];
  } catch (error) {
    if (!isFault(error) || error.code === "disk_full") throw error;
    return [{ type: "loop.notice", iteration: view.iteration, text: error.message }];
  }
}

function titleOf({ task, config }: LoopView): string {
  return task?.look?.title ?? config.name;
}

function happened(view: LoopView, { as, reason }: Ending): string {
  const { task, iteration, failures } = view;
  const { maxIterations, failureThreshold } = limitsOf(view);
  const { done = 0, all = 0 } = task?.look?.counts ?? {};
  const what = {
    max_iterations: "The loop used up its iterations before the task was done",
    stuck: "The loop ran out of time before the task was done",
    failed: "The loop gave up",
    stopped: "The loop was stopped",
    completed: "The task is done",
  }[as];
  return [
    fullStop(`${what}: ${reason}`),
    `${done} of ${all} steps are done, after ${iteration} of ${maxIterations ?? "any number of"} iterations; ${failures} of ${failureThreshold} allowed failures in a row. Nothing is lost: the state is kept, and the loop can go on from here. To end it as it is, move its file to ${inFolder(view, "done_folder")}; to call it off, to ${inFolder(view, "rejected_folder")}.`,
  ].join("\n");
}

function inFolder({ task }: LoopView, key: "done_folder" | "rejected_folder"): string {
  return `${(task?.look?.config ?? TaskConfig.parse({}))[key].replace(/^\//, "")}/`;
}

/** For whoever would rather use a terminal. */
function commandsOf({ vault, view }: Ground, choices: HandOffChoice[]): string[] {
  const { task, iteration } = view;
  const { strategy } = view.config;
  if (strategy.type !== "task") return [];
  const path = task?.look?.path ?? strategy.file;
  const inVault = `--vault ${quoted(vault.root)}`;
  const more = iteration + (limitsOf(view).maxIterations ?? 0);
  const file = quoted(path.replace(/^\//, ""));
  const resume = `ralpher task resume ${file} ${inVault}`;
  const choose = (choice: HandOffChoice) => `ralpher task choose ${file} ${choice} ${inVault}`;
  return choices.map((choice) => {
    if (choice === "retry") return `${resume} --reset-failures`;
    return choice === "more_iterations" ? `${resume} --max-iterations ${more}` : choose(choice);
  });
}

function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

async function notify({ vault, config, view }: Ground, note: Notification): Promise<EventBody[]> {
  const problems = await vault.notify(config, note);
  return problems.map(({ path, message }) => ({
    type: "loop.notice",
    iteration: view.iteration,
    text: `${path}: ${message}`,
  }));
}
