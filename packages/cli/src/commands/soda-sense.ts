import type { Claims } from "@ralpher/contract";
import type { Ralpher } from "../compose.ts";
import { claimLines } from "../print/soda-sense.ts";
import { print, printJson, withRalpher } from "../session.ts";
import { listRunsHere, requireRun } from "../soda-runs.ts";

/** `soda sense` */
export const sodaSense = ({ run, json }: { run?: string | undefined; json?: true | undefined }) =>
  withRalpher(async (ralpher) => {
    const claims = await claimsOf(ralpher, run);
    if (json === true) printJson(claims);
    else for (const line of claimLines(claims)) print(line);
  });

/** Of the run named, else of the newest one here whose work is not put away, else of the folder. */
async function claimsOf(ralpher: Ralpher, named: string | undefined): Promise<Claims> {
  const { hub } = ralpher;
  if (named !== undefined) return await hub.sense({ loopId: (await requireRun(ralpher, named)).id });
  const { directory, runs } = await listRunsHere(ralpher);
  const [newest] = runs;
  const status = newest?.state.status;
  if (newest === undefined || status === "accepted" || status === "discarded") return await hub.sense({ directory });
  return await hub.sense({ loopId: newest.config.id });
}
