import {
  type EventBody,
  Fault,
  type GitWorkspace,
  isFault,
  type LoopView,
  type Saved,
  type UpdateMethod,
} from "@ralpher/contract";
import { type DoneCommand, requireAllowed } from "./decide.ts";
import { type EngineParts, eventsOf } from "./engine/execution.ts";
import { leaveVault } from "./engine/task/leave-vault.ts";
import { stashRestored } from "./stash-restored.ts";
import { findUnrecordedUpdate } from "./unrecorded-update.ts";

/**
 * Do what a human decided about a loop that rests: merge its work, bring it up to date, throw it away, get it back, or
 * remove it. The loop is held meanwhile, so that no process starts it. Every part is idempotent: after a crash in the middle, ask again.
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
      return await accept(parts, view, command.squash ?? false, append);
    case "update-branch":
      return await updateBranch(parts, view, command.method, append);
    case "restore":
      return await restore(parts, view, append);
    case "discard":
      await throwAway(parts, view, append);
      return await append([{ type: "loop.discarded" }]);
    case "delete":
      await throwAway(parts, view, append);
      await parts.captures.remove(loopId);
      await journal.erase(loopId, clock.now());
      return null;
  }
}

type Append = (bodies: EventBody[]) => Promise<LoopView | null>;

async function accept(
  { workspaces }: EngineParts,
  view: LoopView,
  squash: boolean,
  append: Append,
): Promise<LoopView | null> {
  const { workspace, config, phase } = view;
  if (phase.status === "accepted" || workspace === null || workspace.kind === "plain") return view;
  await saveRest(workspaces, view, workspace);
  const message = squash ? squashMessage(view) : `Merge ${workspace.workingBranch}: ${config.name}`;
  const merge = await workspaces.accept(workspace, message, { squash });
  if (merge.kind === "conflict") throw conflict(workspace, merge.files);
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

/**
 * What the last iteration left uncommitted, because it failed, is part of the work that was looked at. Not what lies on a
 * work branch that is not merged: that is a task's, which goes on with it, and none of the milestone.
 */
async function saveRest(
  workspaces: EngineParts["workspaces"],
  view: LoopView,
  workspace: GitWorkspace,
): Promise<Saved | null> {
  const { config, head, soda } = view;
  if (soda?.open?.branch && soda.open.merged === null) return null;
  // In place, the user may have gone back to a branch of their own: what lies there now is theirs.
  if (workspace.kind === "checkout" && !(await isOnBranch(workspaces, workspace))) return null;
  const since = head ?? workspace.baseSha;
  const message = `${config.git.commitPrefix} Uncommitted work`;
  return await workspaces.save({ workspace, since, message }).catch((error) => {
    // Without its worktree there is nothing uncommitted; with the branch all the same can be done.
    if (!isFault(error, "directory_missing")) throw error;
    return null;
  });
}

async function isOnBranch(workspaces: EngineParts["workspaces"], workspace: GitWorkspace): Promise<boolean> {
  const report = await workspaces.inspect(workspace.repository);
  return report.kind === "repository" && report.branch === workspace.workingBranch;
}

/** The loop's name, and a line for each of its newest commits. */
function squashMessage({ config, commits }: LoopView): string {
  const subjects = commits.map(({ message }) => `* ${message.split("\n")[0]}`);
  return [config.name, ...(subjects.length === 0 ? [] : ["", ...subjects])].join("\n");
}

function conflict({ workingBranch: branch, originalBranch: target }: GitWorkspace, files: string[]): Fault {
  return new Fault("merge_conflict", { branch, target, files });
}

async function updateBranch(
  parts: EngineParts,
  view: LoopView,
  method: UpdateMethod,
  append: Append,
): Promise<LoopView | null> {
  const { workspaces } = parts;
  const unrecorded = (await findUnrecordedUpdate(workspaces, view))(view);
  if (unrecorded.length > 0) {
    const recorded = await append(unrecorded);
    return recorded === null ? null : await updateBranch(parts, recorded, method, append);
  }
  const { workspace, iteration } = view;
  if (workspace === null || workspace.kind === "plain") return view;
  const saved = await saveRest(workspaces, view, workspace);
  const update = await workspaces.updateBranch(workspace, method);
  // What was saved stays a commit of the loop's; the next one to save finds it.
  if (update.kind === "conflict") throw conflict(workspace, update.files);
  const { commits, warnings } = saved?.kind === "made" ? saved : { commits: [], warnings: [] };
  const { baseSha, head } = update;
  return await append([
    ...warnings.map((text) => ({ type: "loop.notice" as const, iteration, text })),
    ...commits.map((commit) => ({ type: "loop.git.commit" as const, iteration, commit: { iteration, ...commit } })),
    { type: "loop.branch.updated", method, baseSha, head },
  ]);
}

async function restore({ workspaces }: EngineParts, view: LoopView, append: Append): Promise<LoopView | null> {
  const { workspace } = view;
  if (workspace === null || workspace.kind === "plain") return view;
  return await append([{ type: "loop.restored", head: await workspaces.restore(workspace) }]);
}

/** Tidying up comes after the fact: what is told of it may be lost, the fact may not. */
async function appendAfter(append: Append, bodies: EventBody[], fact: LoopView | null): Promise<LoopView | null> {
  return await append(bodies).catch((error) => {
    if (!isFault(error)) throw error;
    return fact;
  });
}

async function throwAway(parts: EngineParts, view: LoopView, append: Append): Promise<void> {
  const { workspaces } = parts;
  const { workspace } = view;
  await leaveVault(parts, view);
  if (workspace === null || workspace.kind === "plain") return;
  await workspaces.discard(workspace);
  const stash = await stashRestored(workspaces, workspace);
  if (stash.length > 0) await append(stash);
}
