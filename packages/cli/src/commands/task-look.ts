import { isUnderWay, type LoopId, toLoop } from "@ralpher/contract";
import type { Ralpher } from "../compose.ts";
import { nextActions } from "../print/ending.ts";
import { taskInterrupted } from "../print/task-actions.ts";
import { bannerLines, boardLines } from "../print/task-board.ts";
import { taskLoopLines } from "../print/task-loops.ts";
import { taskStatusLines } from "../print/task-status.ts";
import { isInHand, print, printJson, withRalpher } from "../session.ts";
import { listTaskLoops, requireTaskLoop, requireVault } from "../task-loops.ts";

interface Options {
  vault?: string | undefined;
  json?: true | undefined;
}

/** `ralpher task status` */
export const taskStatus = (typed: string | undefined, { vault, json }: Options) =>
  withRalpher(async (ralpher) => {
    if (typed === undefined) return await vaultStatus(ralpher, await requireVault(ralpher, vault), json);
    const view = await requireTaskLoop(ralpher, typed, vault);
    const task = await ralpher.hub.task(view.id);
    const interrupted = isUnderWay(view) && !(await isInHand(ralpher, view.id));
    const next = (interrupted ? taskInterrupted(view) : nextActions(view)).map(([what, command]) => ({
      what,
      command,
    }));
    if (json === true) return printJson({ loop: toLoop(view), task, interrupted, next });
    for (const line of taskStatusLines(view, task, { interrupted, next })) print(line);
  });

/** All of a vault that has a loop, a line each. */
async function vaultStatus(ralpher: Ralpher, vault: string, json: true | undefined): Promise<void> {
  const loops = await listTaskLoops(ralpher, vault);
  if (json === true) return printJson(loops);
  const isRun = await whoIsRun(
    ralpher,
    loops.map(({ config }) => config.id),
  );
  for (const line of bannerLines(await ralpher.hub.vault(vault))) print(line);
  for (const line of taskLoopLines(loops, isRun)) print(line);
  if (loops.length === 0) print('No task of this vault was taken up yet. "ralpher task list" shows those there are.');
}

/** `ralpher task list` */
export const taskList = ({ vault, json }: Options) =>
  withRalpher(async (ralpher) => {
    const board = await ralpher.hub.vault(await requireVault(ralpher, vault));
    if (json === true) return printJson(board);
    const loops = [...board.open, ...board.done, ...board.rejected].flatMap(({ loop }) =>
      loop === null ? [] : [loop.id],
    );
    const isRun = await whoIsRun(ralpher, loops);
    for (const line of boardLines(board, isRun)) print(line);
  });

/** Tells of a loop that is under way whether somebody runs it. */
async function whoIsRun(ralpher: Ralpher, ids: LoopId[]): Promise<(id: LoopId) => boolean> {
  const run = new Set<LoopId>();
  for (const id of ids) if (await isInHand(ralpher, id)) run.add(id);
  return (id) => run.has(id);
}
