import { type EventBody, Fault, isFault, type LoopView } from "@ralpher/contract";
import { type DoneCommand, requireAllowed } from "./decide.ts";
import { type EngineParts, eventsOf } from "./engine/execution.ts";
import { stashRestored } from "./stash-restored.ts";

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
  const append = (bodies: EventBody[]) =>
    journal.append(
      loopId,
      (now) => {
        // Nobody may have started it meanwhile: the answer would be lost, or the work.
        if (now !== null) requireAllowed(now, command);
        return eventsOf(loopId, clock.now(), bodies);
      },
      lease,
    );
  switch (command.type) {
    case "accept":
      return await accept(parts, view, append);
    case "discard":
      await throwAway(parts, view, append);
      return await append([{ type: "loop.discarded" }]);
    case "delete":
      await throwAway(parts, view, append);
      await parts.removeCaptures(loopId);
      await journal.erase(loopId, clock.now());
      return null;
  }
}

type Append = (bodies: EventBody[]) => Promise<LoopView | null>;

async function accept({ workspaces }: EngineParts, view: LoopView, append: Append): Promise<LoopView | null> {
  const { workspace, config, phase, head } = view;
  if (phase.status === "accepted" || workspace === null || workspace.kind === "plain") return view;
  // What the last iteration left uncommitted, because it failed, is part of the work that was looked at.
  const since = head ?? workspace.baseSha;
  await workspaces.save({ workspace, since, message: `${config.git.commitPrefix} Uncommitted work` }).catch((error) => {
    // Without its worktree there is nothing uncommitted; the branch can be merged all the same.
    if (!isFault(error, "directory_missing")) throw error;
  });
  const merge = await workspaces.accept(workspace, `Merge ${workspace.workingBranch}: ${config.name}`);
  if (merge.kind === "conflict") {
    const { workingBranch: branch, originalBranch: target } = workspace;
    throw new Fault("merge_conflict", { branch, target, files: merge.files });
  }
  // Recorded at once: from here on the work is the user's, whatever becomes of the worktree.
  const accepted = await append([{ type: "loop.accepted", mergeCommit: merge.sha }]);
  const untidy = await workspaces.close(workspace).then(
    () => null,
    (error) => (isFault(error) ? error.message : Promise.reject(error)),
  );
  const left: EventBody[] =
    untidy === null
      ? []
      : [{ type: "loop.notice", iteration: view.iteration, text: `The worktree is still there: ${untidy}` }];
  const rest = [...left, ...(await stashRestored(workspaces, workspace))];
  return rest.length === 0 ? accepted : await appendAfter(append, rest, accepted);
}

/** Tidying up comes after the fact: what is told of it may be lost, the fact may not. */
async function appendAfter(append: Append, bodies: EventBody[], fact: LoopView | null): Promise<LoopView | null> {
  return await append(bodies).catch((error) => {
    if (!isFault(error)) throw error;
    return fact;
  });
}

async function throwAway({ workspaces }: EngineParts, { workspace }: LoopView, append: Append): Promise<void> {
  if (workspace === null || workspace.kind === "plain") return;
  await workspaces.discard(workspace);
  const stash = await stashRestored(workspaces, workspace);
  if (stash.length > 0) await append(stash);
}
