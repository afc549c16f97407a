import {
  type Command,
  type CreateLoopRequest,
  Fault,
  isAsking,
  type Journal,
  LoopId,
  type LoopSettings,
  type LoopStatus,
  type LoopSummary,
  type LoopView,
  limitsOf,
  parseModelRef,
  sameVault,
  statusWord,
  type TaskConfig,
  type TaskSettings,
  type TaskState,
  type Vault,
  type Vaults,
} from "@ralpher/contract";
import { whereIs } from "../engine/task/requires.ts";

export interface VaultParts {
  vaults: Vaults;
  journal: Journal;
}

/**
 * What a request for a task loop comes to: its name and text, the file by its path from the vault's root, and the vault by
 * its own. The agent is the vault's, where the request names none.
 * @throws Fault `vault_unusable`, `config_invalid`, `task_file_unusable`, `state_unusable`, `task_taken`
 */
export async function requireTaskWords(
  parts: VaultParts,
  request: CreateLoopRequest,
  strategy: TaskSettings,
): Promise<Pick<CreateLoopRequest, "directory" | "strategy" | "backend" | "model"> & { name: string; prompt: string }> {
  const vault = await parts.vaults.open(request.directory);
  const config = await vault.readConfig();
  const path = await vault.resolveTask(strategy.file, request.directory);
  requireInSpecs(config, path);
  const file = await vault.readTask(path);
  // A state file that is not ours is found out before there is a loop.
  const state = (await vault.readState(config.state_file))?.state;
  await requireNobodyElse(parts.journal, config.state_file, path, state);
  await requireFree(parts.journal, vault.root, path);
  const model = request.model ?? (config.model === undefined ? null : parseModelRef(config.model));
  const type = request.backend.type ?? config.agent;
  return {
    directory: vault.root,
    strategy: { ...strategy, file: path },
    backend: { ...request.backend, ...(type === undefined ? {} : { type }) },
    ...(model === null ? {} : { model }),
    name: request.name ?? nameOf(file.title),
    prompt: file.text.trim() === "" ? file.title : file.text,
  };
}

/** A task that is done is moved away: that must not befall a note that merely lies in the vault. */
function requireInSpecs({ specs_folder }: TaskConfig, path: string): void {
  const folder = `/${specs_folder.replace(/^\/+|\/+$/g, "")}/`;
  if (path.startsWith(folder)) return;
  throw new Fault("task_file_unusable", { path, detail: `it does not lie in ${folder}; move or copy it there` });
}

/** Does a Ralpher with another data folder work on this very task? */
async function requireNobodyElse(
  journal: Journal,
  stateFile: string,
  path: string,
  state: TaskState | undefined,
): Promise<void> {
  if (state === undefined || state.status !== "running" || state.task_path !== path) return;
  const owner = LoopId.safeParse(state.metadata.ralpher_loop);
  if (owner.success && (await journal.find(owner.data)) !== null) return;
  const detail = `a loop of another data folder (${state.loop_id}) works on ${path}, or died at it`;
  throw new Fault("state_unusable", { path: stateFile, detail });
}

function nameOf(title: string): string {
  return (
    title
      .replace(/\p{Cc}+/gu, " ")
      .trim()
      .slice(0, 200) || "task"
  );
}

/** Has no other loop this task? One that ended, and asks nothing, is through with it. @throws Fault `task_taken` */
export async function requireFree(journal: Journal, root: string, path: string): Promise<void> {
  const rows = (await journal.list({ text: root })).filter((row) => sameVault(row, root) && isHolding(row));
  const other = rows.find(({ config }) => config.file === path);
  if (other !== undefined)
    throw new Fault("task_taken", { path, id: other.config.id, status: statusWord(other.state.status) });
}

/** Is its task still in its hands? */
export function isHolding({ state }: LoopSummary): boolean {
  return (
    state.completedAt === undefined ||
    state.handOff !== undefined ||
    atWork.has(state.status) ||
    state.status === "paused"
  );
}

const atWork = new Set<LoopStatus>(["starting", "running", "waiting"]);

/** Does somebody work on it, or is somebody meant to? */
export function isAtWork({ state }: LoopSummary): boolean {
  return atWork.has(state.status);
}

/**
 * Can the task go on now? A stop hook is taken away, for whoever starts a task wants it to run.
 * @throws Fault `vault_unusable`, `config_invalid`, `task_file_unusable`, `vault_stopping`, `illegal_transition`
 */
export async function requireTaskStartable(
  parts: VaultParts,
  view: LoopView,
  { resetFailures, isChoice }: { resetFailures: boolean; isChoice: boolean },
): Promise<void> {
  const { strategy, directory } = view.config;
  if (strategy.type !== "task") return;
  const vault = await parts.vaults.open(view.task?.vault ?? directory);
  const config = await vault.readConfig();
  const { place } = await whereIs(vault, config, view);
  if (place === "gone") {
    throw new Fault("task_file_unusable", { path: strategy.file, detail: "it is nowhere in the vault any more" });
  }
  if (place === "open" && !isChoice) requireRoom(view, config, resetFailures);
  // What a watch takes up heeds a hook that came in this moment.
  if (strategy.startedBy === "human" || view.startedAt !== null) await liftHook(parts, vault, config, view.id);
}

/**
 * A start of a task that asked by a file, and was answered there while nobody looked, is that answer. One with settings of
 * its own is what it says.
 */
export async function answeredBefore(
  parts: VaultParts,
  view: LoopView,
  start: Extract<Command, { type: "start" }>,
): Promise<Extract<Command, { type: "start" | "choose" }>> {
  const path = view.task?.handOff?.path;
  if (!view.task?.vault || path === undefined || !isAsking(view) || start.resetFailures) return start;
  const vault = await parts.vaults.open(view.task.vault);
  const [choice, ...others] = (await vault.readHandOff(path)) ?? [];
  if (others.length > 0) {
    const message = `several of its boxes are ticked: ${[choice, ...others].join(", ")}`;
    throw new Fault("invalid_input", { what: "answer", issues: [{ path, message }] });
  }
  return choice === undefined ? start : { type: "choose", loopId: view.id, choice, path };
}

/** Limits as the vault's config says them now. */
function requireRoom(view: LoopView, config: TaskConfig, resetFailures: boolean): void {
  const { iteration, failures, task } = view;
  const look = task?.look ?? null;
  const now = look === null || task === null ? view : { ...view, task: { ...task, look: { ...look, config } } };
  const { maxIterations, failureThreshold } = limitsOf(now);
  const refuse = (hint: string) =>
    new Fault("illegal_transition", { command: "start", status: statusWord(view.phase.status), hint });
  if (maxIterations !== undefined && iteration >= maxIterations) {
    throw refuse(`It has used ${iteration} of ${maxIterations} iterations; raise the limit first (--max-iterations).`);
  }
  if (failures >= failureThreshold && !resetFailures) {
    throw refuse(`${failures} of ${failureThreshold} steps in a row failed; count them from zero (--reset-failures).`);
  }
}

/** The same for one that is only about to be made. @throws Fault `vault_unusable`, `config_invalid`, `vault_stopping` */
export async function requireTaskBeginnable(
  parts: VaultParts,
  { strategy, directory }: Pick<LoopSettings, "strategy" | "directory">,
): Promise<void> {
  // What a watch takes up heeds a hook that came in this moment.
  if (strategy.type !== "task" || strategy.startedBy === "watch") return;
  const vault = await parts.vaults.open(directory);
  await liftHook(parts, vault, await vault.readConfig());
}

/** Take the stop hook away, unless somebody has not heeded it yet. @throws Fault `vault_stopping` */
export async function liftHook(
  { journal }: Pick<VaultParts, "journal">,
  vault: Vault,
  config: TaskConfig,
  except?: LoopId,
): Promise<string | null> {
  const hook = await vault.readStopHook(config);
  if (hook === null) return null;
  const rows = (await journal.list({ text: vault.root })).filter((row) => sameVault(row, vault.root));
  const names = rows.filter((row) => row.config.id !== except && isAtWork(row)).map(({ config: { name } }) => name);
  if (names.length > 0) throw new Fault("vault_stopping", { path: hook.path, names });
  await vault.removeStopHook(config);
  return hook.path;
}
