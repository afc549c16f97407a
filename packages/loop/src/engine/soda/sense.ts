import { type EventBody, isRead, type LoopView } from "@ralpher/contract";
import { type Sensed, senseLoop } from "../../sense.ts";
import type { Execution, Performer } from "../execution.ts";
import { mergeWorkBranch } from "./merge.ts";
import { makeRoot } from "./milestone.ts";
import { requireSoda } from "./requires.ts";

/** Work branches are `soda/iteration-N`. */
export const workBranchPrefix = "soda/iteration-";

/** Gather what the systems claim; the iteration begins with it (L-ITER-1). */
export const performSense: Performer<"sense"> = async (execution, { iteration }, known) => {
  const sensed = await senseLoop(execution, known, iteration, execution.clock.now());
  // It is made again before anybody works for it.
  const view = sensed.rootIsGone ? await makeRoot(execution, known) : known;
  const first = view === known ? sensed : await senseLoop(execution, view, iteration, execution.clock.now());
  const { claims, said, cursor, links, spec, specError } = await atHome(execution, view, iteration, first);
  const changed: EventBody[] = spec === null ? [] : [{ type: "loop.spec", spec }];
  const text = `The spec cannot be read, so it counts as it was: ${specError}`;
  const told: EventBody[] = specError === null ? [] : [{ type: "loop.notice", iteration, text }];
  await execution.record([
    ...changed,
    { type: "loop.iteration.start", iteration },
    ...told,
    { type: "loop.sensed", iteration, claims, said, cursor, ...(links === null ? {} : { links }) },
  ]);
};

/**
 * An iteration that ended in a fault may have left the tree on its branch: what it had committed is brought in, what it
 * had not is kept aside.
 */
async function atHome(execution: Execution, view: LoopView, iteration: number, sensed: Sensed): Promise<Sensed> {
  const { workspace } = requireSoda(view);
  const { code_state } = sensed.claims;
  if (!isRead(code_state)) return sensed;
  const { branch, commits } = code_state;
  if (branch === null || branch === workspace.workingBranch || !branch.startsWith(workBranchPrefix)) return sensed;
  const since = commits[0]?.hash ?? workspace.baseSha;
  const label = `${iteration}-left`;
  const kept = await execution.workspaces.setAside(workspace, branch, { since, label, message: `Left on ${branch}` });
  if (kept !== null) {
    const text = `What lay uncommitted on ${branch} is kept as ${kept.ref}`;
    await execution.record([{ type: "loop.notice", iteration, text }]);
  }
  await mergeWorkBranch(execution, view, { branch, since, iteration });
  return await senseLoop(execution, view, iteration, execution.clock.now());
}
