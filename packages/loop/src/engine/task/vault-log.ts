import type { LoopView, TaskConfig, Vault } from "@ralpher/contract";
import { oneLine } from "../../one-line.ts";
import type { Execution } from "../execution.ts";

const longestLine = 500;

/** A line of this run in the vault's log (T-LOG-1). */
export async function logLine(
  { clock }: Pick<Execution, "clock">,
  { vault, config, view }: { vault: Vault; config: TaskConfig; view: LoopView },
  level: TaskConfig["log_level"],
  text: string,
): Promise<void> {
  const line = oneLine(text);
  const short = line.length <= longestLine ? line : `${line.slice(0, longestLine - 1)}…`;
  await vault.log(config, level, `${view.task?.runId ?? view.id} ${short}`, clock.now());
}
