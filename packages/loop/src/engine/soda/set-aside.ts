import type { Performer } from "../execution.ts";
import { requireOpen, requireSoda } from "./requires.ts";

/** Changes that make tests fail do not get into the milestone; they are kept where a human finds them. */
export const performSetAside: Performer<"set-aside"> = async ({ workspaces, record }, { iteration, taskId }, view) => {
  const { workspace } = requireSoda(view);
  const { branch } = requireOpen(view).progress;
  if (branch === null) throw new Error("there is no branch to set changes aside from");
  const title = requireOpen(view).progress.tasks.find(({ id }) => id === taskId)?.title ?? "";
  const kept = await workspaces.setAside(workspace, branch.name, {
    since: branch.head,
    // A label is for one use.
    label: `${iteration}-${taskId}`,
    message: `Set aside: ${taskId} ${title}`,
  });
  const warnings = kept?.warnings ?? [];
  await record([
    ...warnings.map((text) => ({ type: "loop.notice" as const, iteration, text })),
    kept === null
      ? { type: "loop.git.saved", iteration, head: branch.head, taskId, branch: branch.name }
      : { type: "loop.set_aside", iteration, taskId, ref: kept.ref, sha: kept.sha },
  ]);
};
