import {
  type EventBody,
  isFault,
  type LoopConfig,
  type OpenWorkspace,
  shortId,
  type Workspace,
  type Workspaces,
} from "@ralpher/contract";
import { ownFiles } from "../preconditions.ts";
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
        branch: branchOf(config),
        handleUncommitted: phase.status === "starting" ? phase.handleUncommitted : null,
        commitPrefix: config.git.commitPrefix,
        ...(await sodaGround(workspaces, config)),
      })
    : { kind: "plain", directory: config.directory };
  const known = view.workspace !== null && view.workspace.directory === workspace.directory;
  const ready: EventBody[] = known ? [] : [{ type: "loop.workspace.ready", workspace }];
  await record([...ready, { type: "loop.started", iteration: view.iteration + 1 }]);
};

/** A milestone's branch is named for what it is to hold, and begins from main whatever is checked out (L-MILE-2). */
async function sodaGround(
  workspaces: Workspaces,
  { directory, strategy }: LoopConfig,
): Promise<Partial<OpenWorkspace>> {
  if (strategy.type !== "soda") return {};
  const report = await workspaces.inspect(directory);
  return {
    base: await workspaces.baseBranch(directory, strategy.base),
    own: ownFiles(directory, report.kind === "repository" ? report.root : directory, strategy),
  };
}

function branchOf({ git, name, id, strategy }: LoopConfig): string {
  return `${git.branchPrefix}${slug(name)}${strategy.type === "soda" ? "" : `-${shortId(id)}`}`;
}

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
