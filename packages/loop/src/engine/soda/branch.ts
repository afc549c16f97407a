import type { Performer } from "../execution.ts";
import { requireSoda } from "./requires.ts";
import { workBranchPrefix } from "./sense.ts";

/** Begin the branch that this iteration's work is done on. */
export const performBranch: Performer<"branch"> = async ({ workspaces, record }, { iteration }, view) => {
  const { workspace } = requireSoda(view);
  const { branch, base } = await workspaces.branchOff(workspace, `${workBranchPrefix}${iteration}`);
  await record([{ type: "loop.branch.started", iteration, branch, base }]);
};
