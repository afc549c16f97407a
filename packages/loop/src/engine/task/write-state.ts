import type { LoopView, TaskConfig, TaskHistoryEntry, TaskState, Vault } from "@ralpher/contract";
import { stateFileOf, stateOf } from "../../strategies/task/state-of.ts";
import type { Execution } from "../execution.ts";

const pageSize = 1_000;

/** The state of the run now. Its history is what the journal has of it: nothing of it can be lost with the file. */
export async function readStateOf(
  { journal, clock }: Pick<Execution, "journal" | "clock">,
  vault: Vault,
  view: LoopView,
  status: TaskState["status"],
): Promise<TaskState> {
  const history: TaskHistoryEntry[] = [];
  for (let after = 0; ; ) {
    const page = await journal.read({ loopId: view.id, types: ["loop.step.end"], after, limit: pageSize });
    for (const event of page) if (event.type === "loop.step.end") history.push(event.entry);
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) break;
    after = last.seq;
  }
  return stateOf(view, { history, version: vault.version, now: clock.now(), status });
}

/** Save it (T-STATE-2, T-STATE-3). @throws Fault `state_unusable`, `vault_unusable`, `disk_full` */
export async function writeStateOf(
  execution: Pick<Execution, "journal" | "clock">,
  vault: Vault,
  view: LoopView,
  { status = "running", config }: { status?: TaskState["status"]; config?: TaskConfig } = {},
): Promise<TaskState> {
  const state = await readStateOf(execution, vault, view, status);
  await vault.writeState(stateFileOf(view, config), state);
  return state;
}
