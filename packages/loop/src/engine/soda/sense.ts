import { type EventBody, isRead, type LoopView } from "@ralpher/contract";
import { type Sensed, senseLoop } from "../../sense.ts";
import type { Execution, Performer } from "../execution.ts";
import { requireSoda } from "./converse.ts";
import { mergeWorkBranch } from "./merge.ts";

/** Work branches are `soda/iteration-N`. */
export const workBranchPrefix = "soda/iteration-";

/** Gather what the systems claim; the iteration begins with it (L-ITER-1). */
export const performSense: Performer<"sense"> = async (execution, { iteration }, view) => {
  const first = await senseLoop(execution, view, iteration, execution.clock.now());
  const { claims, said, cursor, spec } = await atHome(execution, view, iteration, first);
  const changed: EventBody[] = spec === null ? [] : [{ type: "loop.spec", spec }];
  await execution.record([
    ...changed,
    { type: "loop.iteration.start", iteration },
    { type: "loop.sensed", iteration, claims, said, cursor },
  ]);
};

/** An iteration that ended in a fault may have left the tree on its branch: what is there is brought in, then seen. */
async function atHome(execution: Execution, view: LoopView, iteration: number, sensed: Sensed): Promise<Sensed> {
  const { workspace } = requireSoda(view);
  const { code_state } = sensed.claims;
  const branch = isRead(code_state) ? code_state.branch : null;
  if (branch === null || branch === workspace.workingBranch || !branch.startsWith(workBranchPrefix)) return sensed;
  await mergeWorkBranch(execution, view, { branch, since: view.head ?? workspace.baseSha, iteration });
  return await senseLoop(execution, view, iteration, execution.clock.now());
}
