import type { EventBody } from "@ralpher/contract";
import type { Performer } from "./execution.ts";

/** Put the tree's changes into git, and record every commit since the last time, the agent's own included. */
export const performCommit: Performer<"commit"> = async ({ workspaces, record }, { iteration, message }, view) => {
  const { workspace } = view;
  if (workspace === null || workspace.kind === "plain") {
    await record([{ type: "loop.git.saved", iteration, head: null }]);
    return;
  }
  const saved = await workspaces.save({ workspace, since: view.head ?? workspace.baseSha, message });
  const commits: EventBody[] =
    saved.kind === "made"
      ? saved.commits.map((commit) => ({ type: "loop.git.commit", iteration, commit: { iteration, ...commit } }))
      : [];
  const warnings: EventBody[] =
    saved.kind === "made" ? saved.warnings.map((text) => ({ type: "loop.notice", iteration, text })) : [];
  await record([...warnings, ...commits, { type: "loop.git.saved", iteration, head: saved.head }]);
};
