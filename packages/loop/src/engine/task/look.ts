import type { LoopView, TaskConfig, Vault } from "@ralpher/contract";
import { withSuffix } from "../../strategies/task/state-of.ts";
import type { Execution, Performer } from "../execution.ts";
import { closeAnswered } from "./close-answered.ts";
import { requireVault, whereIs } from "./requires.ts";
import { readConfig, seeVault } from "./see-vault.ts";
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
  await seeVault(execution, view, { isAfter: true });
};

/** The state file when it is due (T-STATE-3), and a line in the log (T-LOG-1). */
async function writeDown(
  execution: Execution,
  { vault, config, view }: { vault: Vault; config: TaskConfig; view: LoopView },
): Promise<void> {
  const { lastEnd, iteration, task } = view;
  const isStart = lastEnd === null;
  const old = task?.look?.config.state_file;
  const isMoved = old !== undefined && old !== config.state_file;
  if (isStart || isMoved || iteration % config.save_state_every_n_iterations === 0) {
    await writeStateOf(execution, vault, view, { config });
  }
  if (isMoved) await vault.dropState(withSuffix(old, task?.stateSuffix ?? null), task?.runId ?? "");
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
async function putAway(vault: Vault, config: TaskConfig, view: LoopView): Promise<void> {
  const { task } = view;
  if (task === null) return;
  if (task.handOff !== null && !task.handOff.closed) {
    const { path, place } = await whereIs(vault, config, view);
    const step = task.look?.steps.find(({ key }) => key === task.skip);
    const skipped = path === null || step === undefined ? null : await vault.tick(path, step);
    await closeAnswered(vault, view, { skipped, place });
  }
  if (task.injection !== null && !task.injection.removed) await vault.removeReinjection(config, task.injection.sha);
}
