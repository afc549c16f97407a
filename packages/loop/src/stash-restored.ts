import { type EventBody, isFault, type Workspace, type Workspaces } from "@ralpher/contract";

/** Give the user's stashed changes back, and what to record of it. Never throws for what the checkout is like. */
export async function stashRestored(workspaces: Workspaces, workspace: Workspace | null): Promise<EventBody[]> {
  if (workspace === null || workspace.kind === "plain") return [];
  const restored = await workspaces.restoreStash(workspace).catch((error) => {
    if (!isFault(error)) throw error;
    const { stashSha: sha } = workspace;
    return sha === undefined
      ? "nothing"
      : { kept: sha, why: `${error.message} Get them with "git stash apply ${sha}".` };
  });
  if (restored === "nothing") return [];
  const note =
    restored === "restored" ? "Your stashed changes are back." : `Your stashed changes are kept: ${restored.why}`;
  return [{ type: "loop.stash.restored", note }];
}
