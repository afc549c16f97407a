import { posix } from "node:path";
import { type LoopView, sameVault, type TaskConfig, type Vault } from "@ralpher/contract";
import { runIdOf, withSuffix } from "../../strategies/task/state-of.ts";
import { isHolding } from "../../vaults/task-preconditions.ts";
import type { Execution, Performer } from "../execution.ts";
import { requireTask } from "./requires.ts";

/**
 * Take the task up: what it is called in the vault, and which state file it has. The vault's own is for one loop at a
 * time; it is left to whoever has it. @throws Fault `vault_unusable`, `config_invalid`, `task_file_unusable`,
 * `state_unusable`
 */
export const performOpenTask: Performer<"open-task"> = async (execution, _step, view) => {
  const { vaults, record } = execution;
  const { task, settings } = requireTask(view);
  const vault = await vaults.open(view.config.directory);
  const config = await vault.readConfig();
  const { path } = await vault.findTask(config, settings.file);
  const file = await vault.readTask(path ?? settings.file);
  const namesakes = path === settings.file ? await vault.namesakes(config, settings.file, file.id) : [];
  const { place, isFirst } = await placeAmong(execution, view);
  const runId = task.runId ?? (await freeRunId(vault, config, runIdOf(view.config.createdAt), place));
  const isFree = await freeState(execution, vault, config, view);
  const stateSuffix = task.stateSuffix ?? (isFirst && isFree ? null : runId);
  if (stateSuffix !== null) await vault.readState(withSuffix(config.state_file, stateSuffix));
  await record([{ type: "loop.task.opened", runId, taskId: file.id, stateSuffix, vault: vault.root, namesakes }]);
};

/**
 * Its place among the loops of the vault, so that two that are taken up in the same moment agree: those made in the same
 * second are told apart by a number, and the first of those that have not ended has the vault's own state file.
 */
async function placeAmong({ journal }: Execution, view: LoopView): Promise<{ place: number; isFirst: boolean }> {
  const { directory, createdAt } = view.config;
  const before = (await journal.list({ text: directory }))
    .filter((row) => sameVault(row, directory) && row.config.id !== view.id)
    .filter(({ config }) => `${config.createdAt} ${config.id}` < `${createdAt} ${view.id}`);
  const wanted = runIdOf(createdAt);
  return {
    place: before.filter(({ config }) => runIdOf(config.createdAt) === wanted).length + 1,
    isFirst: before.every(({ state }) => state.completedAt !== undefined && state.handOff === undefined),
  };
}

/** `loop_20260215_103000`, then `…_2`: never that of a run whose state is kept. */
async function freeRunId(vault: Vault, { state_file }: TaskConfig, wanted: string, place: number): Promise<string> {
  for (let number = place; ; number++) {
    const runId = number === 1 ? wanted : `${wanted}_${number}`;
    if ((await vault.readText(posix.join(posix.dirname(state_file), "history", `${runId}.json`))) === null)
      return runId;
  }
}

/** Is the vault's own state file ours to write? One of a loop here that is through with its task makes room. */
async function freeState(
  { journal, clock }: Execution,
  vault: Vault,
  config: TaskConfig,
  { id }: LoopView,
): Promise<boolean> {
  const found = await vault.readState(config.state_file);
  const owner = found?.state.metadata.ralpher_loop;
  if (found === null || owner === id) return true;
  const row = (await journal.list({ text: vault.root })).find(({ config: { id: other } }) => other === owner);
  if (row === undefined || isHolding(row)) return false;
  await vault.archiveState(config, config.state_file, found.state, clock.now());
  return true;
}
