import {
  Fault,
  isFault,
  type Journal,
  type LoopSummary,
  sameVault,
  TaskConfig,
  type TaskFile,
  type Vault,
  type VaultBoard,
  type VaultCommand,
  type VaultEntry,
  type VaultList,
  type VaultProblem,
  type Vaults,
  type VaultTask,
} from "@ralpher/contract";
import { whereIs } from "../engine/task/requires.ts";
import { configProblems } from "./config-problems.ts";
import { isHolding, liftHook } from "./task-preconditions.ts";

export interface VaultBoardParts {
  journal: Journal;
  vaults: Vaults;
}

/** So many files of a folder are read for their titles and steps. */
const mostRead = 200;

/** A vault with its tasks, and the loops that have them. @throws Fault `vault_unusable` */
export async function readVaultBoard(parts: VaultBoardParts, directory: string): Promise<VaultBoard> {
  const vault = await parts.vaults.open(await parts.vaults.find(directory));
  const { config, problems } = await readConfig(vault);
  const seen = config ?? TaskConfig.parse({});
  const [list, rows, hook, waiting, isWatched] = await Promise.all([
    vault.list(seen),
    parts.journal.list({ text: vault.root }),
    vault.readStopHook(seen),
    vault.readReinjection(seen),
    vault.isWatched(),
  ]);
  const loops = rows.filter((row) => sameVault(row, vault.root));
  const moved = await findMoved({ journal: parts.journal, vault, config: seen }, list, loops);
  const tasks = (entries: VaultEntry[]) => readTasks(vault, entries, loops, moved);
  const [open, done, rejected] = [await tasks(list.open), await tasks(list.done), await tasks(list.rejected)];
  return {
    root: vault.root,
    config,
    open,
    done,
    rejected,
    needsAction: list.needsAction
      .map((entry) => ({ ...entry, loop: askingLoop(loops, entry.path) }))
      .filter(({ loop }) => loop !== null),
    stopHook: hook === null ? null : { path: hook.path, reason: String(hook.frontMatter.reason ?? "no reason given") },
    waitingPrompt: waiting === null || "problem" in waiting ? null : waiting.file.content.trim(),
    isWatched,
    problems: [
      ...problems,
      ...(hook?.problem ? [hook.problem] : []),
      ...(waiting !== null && "problem" in waiting ? [waiting.problem] : []),
    ],
  };
}

/** @throws Fault `invalid_input` */
function requireHookHeeded({ check_stop_hook_every_iteration: isHeeded }: TaskConfig): void {
  if (isHeeded) return;
  const message = "the vault's config says false: its tasks heed no stop hook. Stop them one by one, or change it";
  throw new Fault("invalid_input", { what: "stop", issues: [{ path: "check_stop_hook_every_iteration", message }] });
}

async function readConfig(vault: Vault): Promise<{ config: TaskConfig | null; problems: VaultProblem[] }> {
  try {
    return { config: await vault.readConfig(), problems: [] };
  } catch (error) {
    if (!isFault(error, "config_invalid")) throw error;
    return { config: null, problems: configProblems(error.data) };
  }
}

/** Loops whose file was moved by hand while nobody looked, by where it is now. */
async function findMoved(
  { journal, vault, config }: { journal: Journal; vault: Vault; config: TaskConfig },
  { open, done, rejected }: VaultList,
  loops: LoopSummary[],
): Promise<Map<string, LoopSummary>> {
  const there = new Set([...open, ...done, ...rejected].map(({ path }) => path));
  const found = new Map<string, LoopSummary>();
  for (const loop of loops.filter(isHolding)) {
    const { file } = loop.config;
    if (file === undefined || there.has(file)) continue;
    const view = await journal.find(loop.config.id);
    const path = view === null ? null : (await whereIs(vault, config, view)).path;
    if (path !== null) found.set(path, loop);
  }
  return found;
}

/** What of a task file there is to read; nothing of those past the most that are read. */
async function readFile(vault: Vault, path: string): Promise<{ file: TaskFile | null; problem: string | null }> {
  try {
    return { file: await vault.readTask(path), problem: null };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { file: null, problem: isFault(error, "task_file_unusable") ? error.data.detail : error.message };
  }
}

async function readTasks(
  vault: Vault,
  entries: VaultEntry[],
  loops: LoopSummary[],
  moved: Map<string, LoopSummary>,
): Promise<VaultTask[]> {
  const tasks: VaultTask[] = [];
  for (const [index, { path, modifiedAt }] of entries.entries()) {
    const { file, problem } = index < mostRead ? await readFile(vault, path) : { file: null, problem: null };
    const leaves = file?.steps.filter(({ isParent }) => !isParent) ?? null;
    const loop = moved.get(path) ?? loopOf(loops, path);
    tasks.push({
      path,
      modifiedAt,
      title: file?.title ?? path.slice(path.lastIndexOf("/") + 1),
      steps: leaves === null ? null : { done: leaves.filter(({ done }) => done).length, all: leaves.length },
      loop:
        loop === null
          ? null
          : { id: loop.config.id, status: loop.state.status, iterations: loop.state.currentIteration },
      problem,
    });
  }
  return tasks;
}

/** The newest loop that has, or had, the file where it is. */
function loopOf(loops: LoopSummary[], path: string): LoopSummary | null {
  const of = loops.filter(({ config }) => config.file === path);
  return of.toSorted((a, b) => (a.config.createdAt < b.config.createdAt ? 1 : -1))[0] ?? null;
}

function askingLoop(loops: LoopSummary[], path: string): VaultBoard["needsAction"][number]["loop"] {
  const loop = loops.find(({ state }) => state.handOff === path);
  return loop === undefined ? null : { id: loop.config.id, title: loop.config.name };
}

/**
 * What a human tells the vault, and so all its loops. The path of the file that says it.
 * @throws Fault `vault_unusable`, `config_invalid`, `vault_stopping`, `not_found`
 */
export async function tellVault(
  parts: VaultBoardParts,
  directory: string,
  command: VaultCommand,
): Promise<{ path: string }> {
  const vault = await parts.vaults.open(await parts.vaults.find(directory));
  const config = await vault.readConfig();
  switch (command.type) {
    case "stop":
      requireHookHeeded(config);
      return { path: await vault.writeStopHook(config, command.reason ?? "manual") };
    case "inject":
      return { path: await vault.writeReinjection(config, command.text, { priority: command.priority ?? "normal" }) };
    case "lift": {
      const path = await liftHook(parts, vault, config, command.loop);
      if (path === null) throw new Fault("not_found", { what: `stop hook ${config.stop_hook_file}` });
      return { path };
    }
  }
}
