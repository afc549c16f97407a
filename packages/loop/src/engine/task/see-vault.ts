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
  wholeLook,
} from "@ralpher/contract";
import { believed, type Doubts, doubtsAfter } from "../../strategies/task/doubts.ts";
import { configProblems } from "../../vaults/config-problems.ts";
import type { Execution } from "../execution.ts";
import { requireVault, whereIs } from "./requires.ts";
import { logLine } from "./vault-log.ts";
import { writeStateOf } from "./write-state.ts";

/**
 * Look what humans changed in the vault. `isAfter`: an iteration, or the rest of the loop, comes right before; else this
 * is a look in between, which is recorded only when something is new.
 */
export async function seeVault(execution: Execution, view: LoopView, { isAfter }: { isAfter: boolean }): Promise<void> {
  const { vault, task } = await requireVault(execution, view);
  const { config, problems } = await readConfig(vault, task.look);
  const { place, path } = await whereIs(vault, config, view);
  const read = await readFile(vault, path, task.look);
  const hook = config.check_stop_hook_every_iteration ? await vault.readStopHook(config) : null;
  const found = await findInjection(vault, config, view);
  const doubts = read.file === null || !isAfter ? doubtsOf(task.look) : doubtsAfter(view, read.file);
  const look: VaultLook = {
    config,
    place,
    path,
    title: read.file?.title ?? task.look?.title ?? view.config.name,
    ...stepsOf(read.file, task.look, doubts),
    ...doubts,
    unreadable: read.problem?.message ?? null,
    stopHook:
      hook === null ? null : { path: hook.path, reason: reasonOf(hook.frontMatter), frontMatter: hook.frontMatter },
    problems: [
      problems,
      hook?.problem ?? [],
      found?.problem ?? [],
      read.problem ?? [],
      markProblem(path, doubts),
    ].flat(),
  };
  const change = changeOf(task.look, look);
  const isNews = change.look !== null || change.steps !== null || change.toggled.length > 0;
  const injection = found?.injection;
  // One that cannot be read is looked at again after a while from now.
  if (!isNews && !isAfter && injection === undefined && look.unreadable === null) return;
  const told = { vault, config, view };
  const next = await execution.record([
    ...newProblems(task.look, look, view.iteration),
    { type: "loop.vault.looked", ...change, ...(injection === undefined ? {} : { injection }) },
  ]);
  for (const { path: at, message } of look.problems) {
    if (!isKnown(task.look, at, message)) await logLine(execution, told, "WARNING", `${at}: ${message}`);
  }
  if (injection !== undefined) await takeInjection(execution, { ...told, view: next }, injection);
}

/** Its file goes last: a process that dies before finds it again, and knows it by its content. */
async function takeInjection(
  execution: Execution,
  told: { vault: Vault; config: TaskConfig; view: LoopView },
  { text, priority, sha }: Injection,
): Promise<void> {
  const { vault, config, view } = told;
  await writeStateOf(execution, vault, view);
  const from = `taken from ${config.reinject_prompt_file} (priority ${priority})`;
  await logLine(execution, told, "INFO", `prompt of ${text.length} characters ${from}: ${text}`);
  await vault.removeReinjection(config, sha);
  await execution.record([{ type: "loop.vault.looked", look: null, steps: null, toggled: [] }]);
}

/** What is new, in few words: a vault with many steps is looked at often. */
function changeOf(known: VaultLook | null, look: VaultLook) {
  if (known === null) return wholeLook(look);
  const { steps, ...rest } = look;
  const { steps: before, ...restBefore } = known;
  const isSame = Bun.deepEquals(steps.map(bare), before.map(bare));
  return {
    look: Bun.deepEquals(rest, restBefore) ? null : rest,
    steps: isSame ? null : steps,
    toggled: isSame ? steps.filter(({ done }, at) => done !== before[at]?.done).map(({ key }) => key) : [],
  };
}

function bare({ done: _, ...step }: KnownStep): Omit<KnownStep, "done"> {
  return step;
}

/** A config that a human is in the middle of writing changes nothing yet; one that was never good is a fault. */
export async function readConfig(
  vault: Vault,
  known: VaultLook | null,
): Promise<{ config: TaskConfig; problems: VaultProblem[] }> {
  try {
    return { config: await vault.readConfig(), problems: [] };
  } catch (error) {
    if (!isFault(error, "config_invalid") || known === null) throw error;
    const problems = configProblems(error.data, "; the values from before stay");
    return { config: known.config, problems };
  }
}

/** So is a task file. @throws Fault `task_file_unusable` for one that could never be read */
async function readFile(
  vault: Vault,
  path: string | null,
  known: VaultLook | null,
): Promise<{ file: TaskFile | null; problem: VaultProblem | null }> {
  if (path === null) return { file: null, problem: null };
  try {
    return { file: await vault.readTask(path), problem: null };
  } catch (error) {
    if (!isFault(error, "task_file_unusable") || known === null) throw error;
    return {
      file: null,
      problem: { path, message: `${error.data.detail}; it is looked at again until it can be read` },
    };
  }
}

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

function doubtsOf(known: VaultLook | null): Doubts {
  const { doubted = [], carried = {}, isMarkDoubted = false } = known ?? {};
  return { doubted, carried, isMarkDoubted };
}

function stepsOf(
  file: TaskFile | null,
  known: VaultLook | null,
  doubts: Doubts,
): Pick<VaultLook, "steps" | "counts" | "isDone"> {
  if (file === null) {
    return { steps: known?.steps ?? [], counts: known?.counts ?? { done: 0, all: 0 }, isDone: false };
  }
  const steps = believed(file, doubts);
  const leaves = steps.filter(({ isParent }) => !isParent);
  const open = leaves.filter(({ done }) => !done);
  return {
    steps: shortened(steps).map(({ depth: _, ...step }) => ({ ...step, text: step.text.slice(0, longestText) })),
    counts: { done: leaves.length - open.length, all: leaves.length },
    isDone: (file.markedComplete && !doubts.isMarkDoubted) || (leaves.length > 0 && open.length === 0),
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

function markProblem(path: string | null, { isMarkDoubted }: Doubts): VaultProblem[] {
  if (!isMarkDoubted || path === null) return [];
  const message =
    "it was marked complete while an agent worked on it, and a step's check has not passed: it goes on; to end it as it is, move it to the folder of finished tasks";
  return [{ path, message }];
}

function newProblems(known: TaskView["look"], look: VaultLook, iteration: number): EventBody[] {
  const doubts = look.doubted.filter((key) => !known?.doubted.includes(key));
  return [
    ...look.problems
      .filter(({ path, message }) => !isKnown(known, path, message))
      .map(({ path, line, column, message }): EventBody => {
        const at = line === undefined ? path : `${path}:${line}${column === undefined ? "" : `:${column}`}`;
        return { type: "loop.notice", iteration, text: `${at}: ${message}` };
      }),
    ...doubts.map((key): EventBody => {
      const text = `"${key}" was ticked while an agent worked, and counts as open: it was not through, or its check has not passed.`;
      return { type: "loop.notice", iteration, text };
    }),
  ];
}

function isKnown(known: TaskView["look"], path: string, message: string): boolean {
  return known?.problems.some((one) => one.path === path && one.message === message) ?? false;
}
