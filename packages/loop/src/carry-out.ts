import { type EventBody, Fault, type LoopView } from "@ralpher/contract";
import { type DoneCommand, requireAllowed } from "./decide.ts";
import { type EngineParts, eventsOf } from "./engine/execution.ts";

/**
 * Do what a human decided about a loop that rests: merge its work, throw it away, or remove it. The loop is held
 * meanwhile, so that no process starts it. Every part is idempotent: after a crash in the middle, ask again.
 * @throws Fault `loop_busy`, `merge_conflict`, and those of the workspace
 */
export async function carryOut(parts: EngineParts, command: DoneCommand): Promise<LoopView | null> {
  const { journal, clock } = parts;
  const { loopId } = command;
  await using lease = await journal.lease(loopId);
  if (lease === null) {
    const holder = await journal.holder(loopId);
    throw new Fault("loop_busy", { id: loopId, owner: holder === null ? "another process" : `process ${holder.pid}` });
  }
  const view = await journal.find(loopId);
  if (view === null) throw new Fault("loop_not_found", { id: loopId });
  requireAllowed(view, command);
  if (command.type === "delete") {
    if (view.workspace !== null && view.workspace.kind !== "plain") {
      await parts.workspaces.discard(view.workspace);
      await parts.workspaces.restoreStash(view.workspace);
    }
    await journal.erase(loopId, clock.now());
    return null;
  }
  const bodies = command.type === "accept" ? await accept(parts, view) : await discard(parts, view);
  return await journal.append(loopId, () => eventsOf(loopId, clock.now(), bodies));
}

async function accept({ workspaces }: EngineParts, view: LoopView): Promise<EventBody[]> {
  const { workspace, config, phase } = view;
  if (phase.status === "accepted") return [];
  if (workspace === null || workspace.kind === "plain") return [];
  const message = `Merge ${workspace.workingBranch}: ${config.name}`;
  const merge = await workspaces.accept(workspace, message);
  if (merge.kind === "conflict") {
    const { workingBranch: branch, originalBranch: target } = workspace;
    throw new Fault("merge_conflict", { branch, target, files: merge.files });
  }
  await workspaces.close(workspace);
  await workspaces.restoreStash(workspace);
  return [{ type: "loop.accepted", mergeCommit: merge.sha }];
}

async function discard({ workspaces }: EngineParts, { workspace }: LoopView): Promise<EventBody[]> {
  if (workspace !== null && workspace.kind !== "plain") {
    await workspaces.discard(workspace);
    await workspaces.restoreStash(workspace);
  }
  return [{ type: "loop.discarded" }];
}
