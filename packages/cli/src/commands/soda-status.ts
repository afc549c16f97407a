import { type Claims, isUnderWay, type LoopView, type SodaIteration, toLoop } from "@ralpher/contract";
import type { Ralpher } from "../compose.ts";
import { nextActions } from "../print/ending.ts";
import { sodaInterrupted } from "../print/soda-actions.ts";
import { type RunStatus, statusLines } from "../print/soda-status.ts";
import { isInHand, print, printJson, withRalpher } from "../session.ts";
import { requireRun } from "../soda-runs.ts";

/** `soda status` */
export const sodaStatus = ({ run, json }: { run?: string | undefined; json?: true | undefined }) =>
  withRalpher(async (ralpher) => {
    const view = await requireRun(ralpher, run);
    const status = await statusOf(ralpher, view);
    if (json === true) printJson({ run: toLoop(view), ...status });
    else for (const line of statusLines(view, status)) print(line);
  });

async function statusOf(ralpher: Ralpher, view: LoopView): Promise<RunStatus> {
  const { hub } = ralpher;
  const [{ spec, iterations, summary }, claims, inHand] = await Promise.all([
    hub.soda(view.id),
    hub.sense({ loopId: view.id }).catch(() => null),
    isInHand(ralpher, view.id),
  ]);
  const judged = iterations.findLast(({ orientation }) => orientation !== null);
  const newest = iterations.at(-1);
  const interrupted = isUnderWay(view) && !inHand;
  return {
    spec: spec === null ? null : { path: spec.path, title: spec.title },
    phase: isUnderWay(view) && newest?.completedAt === null ? newest.phase : null,
    criteria: criteriaOf(judged),
    tasks: tasksOf(claims),
    waitsFor: interrupted ? waitsForRunner(view) : waitsFor(view),
    interrupted,
    summary: summary?.path ?? null,
    next: (interrupted ? sodaInterrupted(view) : nextActions(view)).map(([what, command]) => ({ what, command })),
  };
}

function criteriaOf(judged: SodaIteration | undefined): RunStatus["criteria"] {
  if (judged === undefined || judged.orientation === null) return null;
  const { criteria: list } = judged.orientation;
  const satisfied = list.filter((verdict) => verdict.satisfied === true).length;
  return { iteration: judged.iteration, satisfied, all: list.length, list };
}

function tasksOf(claims: Claims | null): RunStatus["tasks"] {
  if (claims === null || "error" in claims.work_state) return null;
  const { open, blocked, closed, root } = claims.work_state;
  return root === null ? null : { root, open, blocked, closed: closed.length };
}

/** What a human, or time, has to bring; null when it needs nothing. */
function waitsFor({ phase }: LoopView): string | null {
  if (phase.status === "stuck") return phase.reason;
  if (phase.status === "waiting" && phase.until !== null) return `${phase.reason ?? "time"}, until ${phase.until}`;
  return null;
}

/** Whoever answered did not run it, or whoever ran it died. */
function waitsForRunner({ phase }: LoopView): string {
  return phase.status === "starting" ? "somebody to run it" : "somebody to run it: the process that did is gone";
}
