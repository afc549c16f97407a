import { existsSync } from "node:fs";
import { dirname, posix, resolve } from "node:path";
import {
  Fault,
  isFault,
  type LoopId,
  type LoopStatus,
  type LoopSummary,
  type LoopView,
  sameVault,
  shortId,
} from "@ralpher/contract";
import type { Ralpher } from "./compose.ts";

/** A folder as it was typed, or this one. */
const folderOf = (given: string | undefined) => resolve(given ?? ".");

/** The vault that is meant: the one named, else the one this folder is in. @throws Fault `vault_unusable` */
export async function requireVault({ hub }: Ralpher, given: string | undefined): Promise<string> {
  return await hub.findVault(folderOf(given));
}

/**
 * The vault of a task file as it was typed: the one named, else the one its folder is in, else the one this folder is in.
 * `file`: as the hub reads it. @throws Fault `vault_unusable`
 */
export async function vaultOfFile(
  ralpher: Ralpher,
  typed: string,
  given: string | undefined,
): Promise<{ vault: string; file: string }> {
  const path = resolve(typed);
  const vault = await requireVault(ralpher, given ?? nearestFolder(path));
  // What is not there as the shell means it may be meant from the vault's root.
  return { vault, file: existsSync(path) ? path : typed };
}

/** The folder that a path is in, as far as it is there; undefined when nothing of it is. */
function nearestFolder(path: string): string | undefined {
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  return folder === dirname(folder) ? undefined : folder;
}

/** The task loops of a vault, or of all vaults (null), newest activity first. */
export async function listTaskLoops({ hub }: Ralpher, vault: string | null): Promise<LoopSummary[]> {
  const found = await hub.list(vault === null ? {} : { text: vault });
  return found.filter((row) => (vault === null ? row.config.strategy === "task" : sameVault(row, vault)));
}

/** Its work was dealt with, or it reached its end. */
const over = new Set<LoopStatus>(["completed", "accepted", "discarded"]);

export function isUnfinished({ state }: Pick<LoopSummary, "state">): boolean {
  return !over.has(state.status);
}

/**
 * The task loop that is meant: by its file (as the shell means it, from the vault's root, or where it was filed), by its
 * name, by what it is called in the vault, or by the loop's id. Of several, the one that is not over.
 * @throws Fault `ambiguous_id`, `not_task`, `not_found`, `vault_unusable`
 */
export async function requireTaskLoop(ralpher: Ralpher, typed: string, given: string | undefined): Promise<LoopView> {
  const { hub } = ralpher;
  const vault = await findVault(ralpher, typed, given);
  const loops = await listTaskLoops(ralpher, vault);
  const paths = [fromRoot(typed), ...(vault === null ? [] : [below(vault, resolve(typed))])];
  const named = byFile(loops, paths) ?? byName(loops, typed);
  if (named !== null) return await hub.require(pick(typed, named).config.id);
  const id = await findId(ralpher, typed);
  const view = id === null ? await findByView(ralpher, loops, [typed, ...paths]) : await hub.require(id);
  if (view === null) throw notFound(typed, vault);
  if (view.task === null) throw new Fault("not_task", { id: view.id });
  return view;
}

/** Null where this folder is in none: then the task may be anybody's. */
async function findVault(ralpher: Ralpher, typed: string, given: string | undefined): Promise<string | null> {
  try {
    return (await vaultOfFile(ralpher, typed, given)).vault;
  } catch (error) {
    if (given !== undefined || !isFault(error, "vault_unusable")) throw error;
    return null;
  }
}

function byFile(loops: LoopSummary[], paths: string[]): LoopSummary[] | null {
  const found = loops.filter(({ config }) => paths.includes(config.file ?? ""));
  return found.length > 0 ? found : null;
}

function byName(loops: LoopSummary[], typed: string): LoopSummary[] | null {
  const found = loops.filter(({ config }) => config.name === typed || namesOf(config.file ?? "").includes(typed));
  return found.length > 0 ? found : null;
}

/** What a person may call a file: `auth_feature`, `tasks.md`, `tasks` for `/Specs/auth_feature/tasks.md`. */
function namesOf(file: string): string[] {
  const name = posix.basename(file);
  return [taskName(file), name, name.replace(/\.(md|markdown)$/i, "")];
}

/** What a task is called in a word: `auth_feature` for `/Specs/auth_feature/tasks.md`. */
export function taskName(file: string): string {
  const stem = posix.basename(file).replace(/\.(md|markdown)$/i, "");
  const folder = posix.basename(posix.dirname(file));
  const saysNothing = /^(tasks?|todo|index|readme|plan)$/i.test(stem);
  return saysNothing && posix.dirname(posix.dirname(file)) !== posix.dirname(file) ? folder : stem;
}

/** Those that are over are only meant when no other is; of them, the newest. */
function pick(typed: string, found: LoopSummary[]): LoopSummary {
  const unfinished = found.filter(isUnfinished);
  const [first = found[0], ...others] = unfinished;
  if (first !== undefined && others.length === 0) return first;
  throw new Fault("ambiguous_id", { id: typed, matches: unfinished.map(({ config }) => shortId(config.id)) });
}

async function findId({ hub }: Ralpher, typed: string): Promise<LoopId | null> {
  try {
    return await hub.resolve(typed);
  } catch (error) {
    if (isFault(error, "loop_not_found")) return null;
    throw error;
  }
}

/** By what only the loops themselves know. */
async function findByView({ hub }: Ralpher, loops: LoopSummary[], words: string[]): Promise<LoopView | null> {
  for (const { config } of loops) {
    const view = await hub.require(config.id);
    const { strategy } = view.config;
    const { runId, taskId } = view.task ?? {};
    // Where it lay before it was filed away.
    const file = strategy.type === "task" ? strategy.file : null;
    if ([runId, taskId, file].some((known) => known != null && words.includes(known))) return view;
  }
  return null;
}

function notFound(typed: string, vault: string | null): Fault {
  const what =
    vault === null
      ? `task ${typed}, and this folder is in no vault; name one with --vault`
      : `loop of a task ${typed} in ${vault}; "ralpher task list" shows the tasks, "ralpher task start FILE" begins one`;
  return new Fault("not_found", { what });
}

/** A path of the vault as the vault has it. */
function fromRoot(path: string): string {
  return posix.normalize(`/${path}`);
}

function below(vault: string, path: string): string {
  return path.startsWith(`${vault}/`) ? path.slice(vault.length) : path;
}
