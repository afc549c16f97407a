import type { EventBody, LoopView, Saved } from "@ralpher/contract";
import type { Performer } from "./execution.ts";
import { commitVault } from "./task/commit-vault.ts";

/**
 * Put the tree's changes into git, those of an iteration or of one of its tasks, and record every commit since the last
 * time, the agent's own included.
 */
export const performCommit: Performer<"commit"> = async (execution, step, view) => {
  const { workspaces, record } = execution;
  const { iteration, message, taskId } = step;
  const { workspace } = view;
  const task = taskId === undefined ? {} : { taskId };
  if (workspace === null || workspace.kind === "plain") {
    const made = view.task === null ? [] : await commitVault(execution, view, message);
    await record([...made, { type: "loop.git.saved", iteration, head: null, ...task }]);
    return;
  }
  const branch = workBranchOf(view);
  const saved =
    branch === null
      ? await workspaces.save({ workspace, since: view.head ?? workspace.baseSha, message })
      : await workspaces.saveOn(workspace, branch.name, { since: branch.head, message, always: taskId !== undefined });
  const on = branch === null ? {} : { branch: branch.name };
  await record([
    ...commitsOf(saved, iteration),
    { type: "loop.git.saved", iteration, head: saved.head, ...task, ...on },
  ]);
};

/** The branch that the iteration's work is done on, when that is not the loop's own. */
function workBranchOf({ soda }: LoopView): { name: string; head: string } | null {
  const open = soda?.open ?? null;
  return open === null || open.merged !== null ? null : open.branch;
}

/** What was saved, as events: what to warn of, and the commits. */
export function commitsOf(saved: Saved, iteration: number): EventBody[] {
  if (saved.kind !== "made") return [];
  return [
    ...saved.warnings.map((text): EventBody => ({ type: "loop.notice", iteration, text })),
    ...saved.commits.map(
      (commit): EventBody => ({ type: "loop.git.commit", iteration, commit: { iteration, ...commit } }),
    ),
  ];
}
