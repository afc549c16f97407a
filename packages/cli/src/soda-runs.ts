import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { Fault, isUnfinished, type LoopSummary, type LoopView } from "@ralpher/contract";
import type { Ralpher } from "./compose.ts";
import { sodaCommand } from "./program-names.ts";

/** The nearest folder up from here that SODA has worked in, else this one. */
function projectFolder(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".soda-id"))) return folder;
    if (folder === dirname(folder)) return from;
  }
}

/** The SODA runs of a folder, newest activity first. */
async function listRuns({ hub }: Ralpher, directory: string): Promise<LoopSummary[]> {
  const found = await hub.list({ text: directory });
  return found.filter(({ config }) => config.strategy === "soda" && config.directory === directory);
}

/** The runs of this folder; where there are none, of the project that it lies in. */
export async function listRunsHere(ralpher: Ralpher): Promise<{ directory: string; runs: LoopSummary[] }> {
  const here = process.cwd();
  const runs = await listRuns(ralpher, here);
  const directory = runs.length > 0 ? here : projectFolder(here);
  return { directory, runs: directory === here ? runs : await listRuns(ralpher, directory) };
}

/** Can it still go on? */
export const canGoOn = ({ state }: LoopSummary): boolean => isUnfinished(state.status);

/** Is there something to stop: does it work, or wait? */
export const canStop = ({ state: { status } }: LoopSummary): boolean =>
  isUnfinished(status) && status !== "stopped" && status !== "failed";

/**
 * The run that is meant: the one named, else the newest of this folder, of those that suit if there is one.
 * @throws Fault `loop_not_found`, `ambiguous_id`, `not_soda`, `not_found`
 */
export async function requireRun(
  ralpher: Ralpher,
  named: string | undefined,
  suits: (run: LoopSummary) => boolean = () => true,
): Promise<LoopView> {
  const { hub } = ralpher;
  if (named !== undefined) {
    const view = await hub.require(await hub.resolve(named));
    if (view.soda === null) throw new Fault("not_soda", { id: view.id });
    return view;
  }
  const { directory, runs } = await listRunsHere(ralpher);
  const run = runs.find(suits) ?? runs[0];
  if (run === undefined)
    throw new Fault("not_found", { what: `SODA run of ${directory}; "${sodaCommand} run" begins one` });
  return await hub.require(run.config.id);
}
