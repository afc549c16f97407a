import { Fault, type LoopView, type Vault } from "@ralpher/contract";
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

/** And what was seen of the vault. */
export function requireLook(view: LoopView) {
  const look = view.task?.look ?? null;
  if (look === null) throw new Error(`loop ${view.id} has not looked at its vault`);
  return look;
}
