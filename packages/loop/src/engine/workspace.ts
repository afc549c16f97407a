import { type EventBody, isFault, shortId, type Workspace, type Workspaces } from "@ralpher/contract";
import type { Performer } from "./execution.ts";

/** Make the loop's tree, or find it again, and declare the loop started. */
export const performWorkspace: Performer<"workspace"> = async ({ workspaces, record }, _step, view) => {
  const { config, phase } = view;
  await undoHalfDiscard(workspaces, view.workspace);
  const workspace: Workspace = config.git.enabled
    ? await workspaces.open({
        key: config.id,
        directory: config.directory,
        isolation: config.git.isolation,
        branch: `${config.git.branchPrefix}${slug(config.name)}-${shortId(config.id)}`,
        handleUncommitted: phase.status === "starting" ? phase.handleUncommitted : null,
        commitPrefix: config.git.commitPrefix,
      })
    : { kind: "plain", directory: config.directory };
  const known = view.workspace !== null && view.workspace.directory === workspace.directory;
  const ready: EventBody[] = known ? [] : [{ type: "loop.workspace.ready", workspace }];
  await record([...ready, { type: "loop.started", iteration: view.iteration + 1 }]);
};

/** A discard that died halfway is no discard: whoever starts the loop goes on with all of its work. */
async function undoHalfDiscard(workspaces: Workspaces, workspace: Workspace | null): Promise<void> {
  if (workspace === null || workspace.kind === "plain") return;
  await workspaces.restore(workspace).catch((error) => {
    // Nothing was kept of it: opening tells what is missing, or begins anew.
    if (!isFault(error, "branch_missing")) throw error;
  });
}

/** A name as part of a branch: lower-case letters, digits and dashes of any script, short. */
function slug(name: string): string {
  const words = name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
  return words.slice(0, 40).replace(/^-+|-+$/g, "") || "loop";
}
