import type { EventBody, LoopView, Workspaces } from "@ralpher/contract";

/**
 * An update of the branch that took place and that nobody recorded, for the process that made it died. As the event to
 * record, of the loop as it is by then; without it the target's commits would count as the loop's.
 */
export async function findUnrecordedUpdate(
  workspaces: Workspaces,
  { workspace }: LoopView,
): Promise<(view: LoopView) => EventBody[]> {
  const update = workspace === null || workspace.kind === "plain" ? null : await workspaces.findUpdate(workspace);
  return (view) => {
    if (update === null || view.workspace === null || view.workspace.kind === "plain") return [];
    const { method, baseSha, head } = update;
    return view.workspace.baseSha === baseSha ? [] : [{ type: "loop.branch.updated", method, baseSha, head }];
  };
}
