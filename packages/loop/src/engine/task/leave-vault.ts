import { isFault, type LoopView } from "@ralpher/contract";
import { endedAs, stateFileOf } from "../../strategies/task/state-of.ts";
import type { EngineParts } from "../execution.ts";
import { readStateOf } from "./write-state.ts";

/** A task's loop goes: what it asks is answered by that, and its state makes room for the next. The task's file stays. */
export async function leaveVault(parts: EngineParts, view: LoopView): Promise<void> {
  const { task, phase } = view;
  if (!task?.vault || task.look === null) return;
  try {
    const vault = await parts.vaults.open(task.vault);
    if (task.handOff !== null && !task.handOff.closed) {
      await vault.closeHandOff(task.handOff.path, "Its loop was deleted or discarded.");
    }
    const stateFile = stateFileOf(view);
    const found = await vault.readState(stateFile);
    if (found?.state.metadata.ralpher_loop !== view.id) return;
    const ended = phase.status === "max_iterations" || phase.status === "failed" || phase.status === "stuck";
    const state = await readStateOf(parts, vault, view, ended ? endedAs(view, phase.status) : "stopped");
    await vault.archiveState(task.look.config, stateFile, state, parts.clock.now());
  } catch (error) {
    // The vault may be gone, or not be ours to write any more; the loop can go all the same.
    if (!isFault(error)) throw error;
  }
}
