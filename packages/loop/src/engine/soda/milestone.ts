import type { LoopView } from "@ralpher/contract";
import type { Execution, Performer } from "../execution.ts";
import { requireSoda } from "./requires.ts";

/** Make the root work item from the spec's title (L-MILE-4). */
export const performMilestone: Performer<"milestone"> = async (execution, _step, view) => {
  await makeRoot(execution, view);
};

/** The view with a root: the one an earlier try made, else a new one. */
export async function makeRoot({ openWorkItems, record }: Execution, view: LoopView): Promise<LoopView> {
  const { soda, workspace } = requireSoda(view);
  const title = soda.spec?.title ?? view.config.name;
  await using items = openWorkItems(workspace.directory);
  // A loop does not begin to carry an items file through git where nobody did before.
  await items.init({ file: false });
  const description = `The milestone of ${soda.spec?.path ?? "a spec"}, on branch ${workspace.workingBranch}.`;
  // A process that died right here left one behind; whoever made one by hand meant another.
  const open = await items.list({ statuses: ["open", "in_progress", "blocked"] });
  const known = open.find((item) => item.title === title && item.description === description);
  const root = known ?? (await items.create({ title, description }));
  return await record([{ type: "loop.milestone", root: { id: root.id, title: root.title } }]);
}
