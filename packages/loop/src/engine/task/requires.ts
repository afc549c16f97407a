import { Fault, type LoopView, type TaskConfig, type Vault } from "@ralpher/contract";
import type { Execution } from "../execution.ts";

/** What a loop of the strategy `task` has. @throws Fault `not_task` */
export function requireTask(view: LoopView) {
  const { task, config } = view;
  if (task === null || config.strategy.type !== "task") throw new Fault("not_task", { id: view.id });
  return { task, settings: config.strategy };
}

/** The same, once it was taken up. */
export async function requireVault({ vaults }: Pick<Execution, "vaults">, view: LoopView) {
  const { task, settings } = requireTask(view);
  const vault: Vault = await vaults.open(task.vault ?? view.config.directory);
  return { task, settings, vault };
}

/** Where its file is now. */
export async function whereIs(vault: Vault, config: TaskConfig, view: LoopView) {
  const { task, settings } = requireTask(view);
  const except = task.namesakes;
  const found = await vault.findTask(config, settings.file, task.taskId ?? undefined, { except });
  if (found.place !== "gone" || task.taskId === null) return found;
  // A human who gave it another id meanwhile did not take it away.
  const byName = await vault.findTask(config, settings.file, undefined, { except });
  return byName.place === "open" ? byName : found;
}

/** And what was seen of the vault. */
export function requireLook(view: LoopView) {
  const look = view.task?.look ?? null;
  if (look === null) throw new Error(`loop ${view.id} has not looked at its vault`);
  return look;
}
