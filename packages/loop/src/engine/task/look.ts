import {
  type EventBody,
  type Injection,
  isFault,
  type KnownStep,
  knownStepsLimit,
  type LoopView,
  type TaskConfig,
  type TaskFile,
  type TaskView,
  type Vault,
  type VaultLook,
  type VaultProblem,
} from "@ralpher/contract";
import type { Execution, Performer } from "../execution.ts";
import { requireVault } from "./requires.ts";
import { logLine } from "./vault-log.ts";
import { writeStateOf } from "./write-state.ts";

/**
 * Between two iterations: write down in the vault what happened, do what humans chose, and look what they changed.
 * @throws Fault `task_file_unusable`, `state_unusable`, `vault_unusable`
 */
export const performLook: Performer<"look"> = async (execution, _step, view) => {
  const { vault, task } = await requireVault(execution, view);
  const { config } = await readConfig(vault, task.look);
  await writeDown(execution, { vault, config, view });
  await putAway(vault, config, view);
  await seeVault(execution, view, { isNews: true });
};

/** Only look; `isNews`: record it also when nothing changed. */
export async function seeVault(execution: Execution, view: LoopView, { isNews }: { isNews: boolean }): Promise<void> {
  const { vault, task, settings } = await requireVault(execution, view);
  const { config, problems } = await readConfig(vault, task.look);
  const { place, path } = await vault.findTask(config, settings.file, task.taskId ?? undefined);
  const file = path === null ? null : await vault.readTask(path);
  const hook = config.check_stop_hook_every_iteration ? await vault.readStopHook(config) : null;
  const found = await findInjection(vault, config, view);
  const look: VaultLook = {
    config,
    place,
    path,
    title: file?.title ?? task.look?.title ?? view.config.name,
    ...stepsOf(file, task.look, isNews ? doubtedAfter(view, file) : (task.look?.doubted ?? [])),
    stopHook:
      hook === null ? null : { path: hook.path, reason: reasonOf(hook.frontMatter), frontMatter: hook.frontMatter },
    problems: [...problems, ...(hook?.problem ? [hook.problem] : []), ...(found?.problem ? [found.problem] : [])],
  };
  const isSame = Bun.deepEquals(look, task.look);
  const injection = found?.injection;
  if (isSame && !isNews && injection === undefined) return;
  const told = { vault, config, view };
  const next = await execution.record([
    ...newProblems(task.look, look, view.iteration),
    { type: "loop.vault.looked", look: isSame ? null : look, ...(injection === undefined ? {} : { injection }) },
  ]);
  for (const { path: at, message } of look.problems) {
    if (!isKnown(task.look, at, message)) await logLine(execution, told, "WARNING", `${at}: ${message}`);
  }
  if (injection === undefined) return;
  // Its file goes last: a process that dies before finds it again, and knows it by its content.
  await writeStateOf(execution, vault, next);
  const words = `prompt of ${injection.text.length} characters taken from ${config.reinject_prompt_file} (priority ${injection.priority}): ${injection.text}`;
  await logLine(execution, told, "INFO", words);
  await vault.removeReinjection(config, injection.sha);
}

/** A config that a human is in the middle of writing changes nothing yet; one that was never good is a fault. */
async function readConfig(
  vault: Vault,
  known: VaultLook | null,
): Promise<{ config: TaskConfig; problems: VaultProblem[] }> {
  try {
    return { config: await vault.readConfig(), problems: [] };
  } catch (error) {
    if (!isFault(error, "config_invalid") || known === null) throw error;
    const { path, issues } = error.data;
    const problems = issues.slice(0, 10).map(({ line, column, path: key, message }) => ({
      path,
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
      message: `${key === "" ? "" : `${key}: `}${message}; the values from before stay`,
    }));
    return { config: known.config, problems };
  }
}

/** The state file when it is due (T-STATE-3), and a line in the log (T-LOG-1). */
async function writeDown(
  execution: Execution,
  { vault, config, view }: { vault: Vault; config: TaskConfig; view: LoopView },
): Promise<void> {
  const { lastEnd, iteration, task } = view;
  const isStart = lastEnd === null;
  if (isStart || iteration % config.save_state_every_n_iterations === 0) {
    await writeStateOf(execution, vault, view);
  }
  const told = { vault, config, view };
  if (isStart) {
    const words = iteration === 0 ? "started" : `goes on after iteration ${iteration}`;
    await logLine(execution, told, "INFO", `${words}: ${view.config.name}`);
    return;
  }
  if (!task?.last) return;
  const { result, action, step } = task.last;
  const line = `iteration ${iteration}: ${action}: ${result}: ${step}`;
  const error = result === "success" ? undefined : task.errors.at(-1);
  if (config.log_every_iteration || result === "failure") {
    await logLine(execution, told, result === "failure" ? "ERROR" : "INFO", error ? `${line}: ${error}` : line);
  }
}

/** What was answered, skipped and read before is put away, however often it takes. */
async function putAway(vault: Vault, config: TaskConfig, { task, config: { strategy } }: LoopView): Promise<void> {
  if (task === null || strategy.type !== "task") return;
  if (task.handOff !== null && !task.handOff.closed) {
    const { answer, path } = task.handOff;
    await vault.closeHandOff(
      path,
      answer === null || answer === "by hand" ? "It was started again by hand." : answerWords[answer],
    );
  }
  if (task.injection !== null && !task.injection.removed) await vault.removeReinjection(config, task.injection.sha);
  if (task.skip === null) return;
  const { path } = await vault.findTask(config, strategy.file, task.taskId ?? undefined);
  if (path !== null) await vault.tick(path, task.skip);
}

const answerWords = {
  retry: "It tries again.",
  more_iterations: "It goes on, with as many iterations again.",
  skip_step: "The step was ticked as it is, and it goes on with the next.",
  complete: "The task counts as done as it is.",
  reject: "The task was called off.",
} as const;

/** Words for the next prompt, every N iterations (T-INJ-1); one after the other. */
async function findInjection(
  vault: Vault,
  config: TaskConfig,
  { iteration, task }: LoopView,
): Promise<{ injection?: Injection; problem?: VaultProblem } | null> {
  const waits = task?.injection !== null && task?.injection !== undefined && !task.injection.told;
  if (waits || iteration % config.check_reinject_every_n_iterations !== 0) return null;
  const found = await vault.readReinjection(config);
  if (found === null) return null;
  if ("problem" in found) return { problem: found.problem };
  const { file, sha } = found;
  const { priority } = file.frontMatter;
  return {
    injection: { text: file.content.trim(), priority: typeof priority === "string" ? priority : "normal", sha },
  };
}

const longestText = 2_000;

/**
 * Agents tick boxes, too, whatever they were told. What came to be ticked during the iteration that just ended counts as
 * open where a check has not been run, and where the agent itself said that it is not done.
 */
function doubtedAfter({ lastEnd, iteration, task }: LoopView, file: TaskFile | null): string[] {
  const known = task?.look ?? null;
  const last = task?.last ?? null;
  if (file === null || known === null) return [];
  const isThrough = (key: string) => last?.step === key && last.result === "success";
  const isDone = new Set(file.steps.filter(({ done, isParent }) => done && !isParent).map(({ key }) => key));
  const isAfter = lastEnd !== null && last?.iteration === iteration;
  const fresh = isAfter
    ? known.steps
        .filter(({ key, done, verify }) => !done && (verify !== null || key === last?.step))
        .map(({ key }) => key)
    : [];
  return [...new Set([...known.doubted, ...fresh])].filter((key) => isDone.has(key) && !isThrough(key));
}

function stepsOf(
  file: TaskFile | null,
  known: VaultLook | null,
  doubted: string[],
): Pick<VaultLook, "steps" | "doubted" | "counts" | "isDone"> {
  if (file === null) {
    return { steps: known?.steps ?? [], doubted, counts: known?.counts ?? { done: 0, all: 0 }, isDone: false };
  }
  const steps = file.steps.map((step) => (doubted.includes(step.key) ? { ...step, done: false } : step));
  const leaves = steps.filter(({ isParent }) => !isParent);
  const open = leaves.filter(({ done }) => !done);
  return {
    doubted,
    steps: shortened(steps).map(({ depth: _, ...step }) => ({ ...step, text: step.text.slice(0, longestText) })),
    counts: { done: leaves.length - open.length, all: leaves.length },
    isDone: file.markedComplete || (leaves.length > 0 && open.length === 0),
  };
}

/** A list too long begins shortly before the first step that is open. */
function shortened<T extends Pick<KnownStep, "done" | "isParent">>(steps: T[]): T[] {
  if (steps.length <= knownStepsLimit) return steps;
  const first = steps.findIndex(({ done, isParent }) => !done && !isParent);
  const from = Math.min(Math.max(0, first - 20), steps.length - knownStepsLimit);
  return steps.slice(from, from + knownStepsLimit);
}

function reasonOf(frontMatter: Record<string, unknown>): string {
  const { reason } = frontMatter;
  return typeof reason === "string" && reason.trim() !== "" ? reason.trim().slice(0, longestText) : "no reason given";
}

function newProblems(known: TaskView["look"], look: VaultLook, iteration: number): EventBody[] {
  return look.problems
    .filter(({ path, message }) => !isKnown(known, path, message))
    .map(({ path, line, column, message }) => {
      const at = line === undefined ? path : `${path}:${line}${column === undefined ? "" : `:${column}`}`;
      return { type: "loop.notice", iteration, text: `${at}: ${message}` };
    });
}

function isKnown(known: TaskView["look"], path: string, message: string): boolean {
  return known?.problems.some((one) => one.path === path && one.message === message) ?? false;
}
