import { type Claims, isRead, isWakeable, type LoopView, type SodaIteration, shortId } from "@ralpher/contract";
import type { Ralpher } from "./compose.ts";
import { sodaActions } from "./print/soda-actions.ts";
import { actionLine } from "./print/words.ts";
import { sodaCommand as soda } from "./program-names.ts";

/**
 * Is anything other than when the run got stuck? Else it would ask its agent the same again, for money, and hear the same.
 * One whose iterations are used up is refused for that.
 */
export async function findNews(ralpher: Ralpher, view: LoopView): Promise<boolean> {
  return !isWakeable(view) || (await hasNews(ralpher, view));
}

/** What a run without news wants to have. */
export function noNewsLines(view: LoopView): string[] {
  const id = shortId(view.id);
  return [
    `soda: run ${id} is stuck, and nothing has changed since: answer, comment, change the spec, or --anyway.`,
    ...sodaActions(view)
      .filter(([words]) => words !== "Then go on")
      .map(actionLine),
    actionLine(["Go on anyway", `${soda} resume ${id} --anyway`]),
  ];
}

/** What cannot be found out counts as news: nobody is kept from going on for that. */
async function hasNews({ hub }: Ralpher, view: LoopView): Promise<boolean> {
  const [claims, report, events] = await Promise.all([
    hub.sense({ loopId: view.id }).catch(() => null),
    hub.soda(view.id, { limit: 1 }),
    hub.read({ loopId: view.id, types: ["loop.stuck", "loop.updated", "loop.branch.updated"], newest: true, limit: 1 }),
  ]);
  const isSteered = events[0]?.type !== "loop.stuck";
  return claims === null || claims.human_input !== null || isSteered || isOther(claims, report.iterations.at(-1));
}

/** Is the code another than its last iteration looked at? Not what lies uncommitted: running the tests leaves things. */
function isOther(now: Claims, newest: SodaIteration | undefined): boolean {
  const then = newest?.claims ?? null;
  if (then === null || !isRead(then.code_state) || !isRead(now.code_state)) return true;
  const of = ({ branch, base, commits }: typeof then.code_state) => JSON.stringify([branch, base, commits[0]?.hash]);
  return of(then.code_state) !== of(now.code_state);
}
