import { type LoopSummary, type SodaIteration, toSummary } from "@ralpher/contract";
import type { Ralpher } from "../compose.ts";
import { historyLines, type PastIteration } from "../print/soda-history.ts";
import { dim } from "../print/style.ts";
import { sodaCommand } from "../program-names.ts";
import { print, printJson, withRalpher } from "../session.ts";
import { listRunsHere, requireRun } from "../soda-runs.ts";

export interface HistoryOptions {
  run?: string | undefined;
  lines: number;
  json?: true | undefined;
}

/** `soda history` */
export const sodaHistory = ({ run, lines, json }: HistoryOptions) =>
  withRalpher(async (ralpher) => {
    const { runs, directory } = await runsOf(ralpher, run);
    const shown = runs.slice(0, lines);
    const told = [];
    for (const one of shown) told.push({ run: one, iterations: await iterationsOf(ralpher, one) });
    if (json === true) return printJson(told);
    if (told.length === 0) print(`There was no run in ${directory} yet. ${sodaCommand} run begins one.`);
    for (const { run: one, iterations } of told) for (const line of historyLines(one, iterations)) print(line);
    if (runs.length > shown.length) print(dim(`${runs.length - shown.length} older runs; -n shows more.`));
  });

async function runsOf(ralpher: Ralpher, named: string | undefined) {
  if (named === undefined) return await listRunsHere(ralpher);
  const view = await requireRun(ralpher, named);
  return { directory: view.config.directory, runs: [toSummary(view)] };
}

/** All of them, oldest first. */
async function iterationsOf({ hub }: Ralpher, { config }: LoopSummary): Promise<PastIteration[]> {
  const all: SodaIteration[] = [];
  for (let before: number | undefined; ; before = all[0]?.seq) {
    const { iterations } = await hub.soda(config.id, { before });
    all.unshift(...iterations);
    if (iterations.length === 0 || iterations[0]?.iteration === 1) return all.map(pastOf);
  }
}

function pastOf(iteration: SodaIteration): PastIteration {
  const { startedAt, completedAt, orientation, decision, plan, outcome, tasks, merged, usage, error } = iteration;
  const criteria = orientation?.criteria ?? [];
  return {
    iteration: iteration.iteration,
    intent: plan?.intent ?? null,
    decision: decision?.outcome ?? null,
    reason: decision?.outcome === "STUCK" ? decision.reason : error,
    outcome,
    criteria:
      orientation === null ? null : [criteria.filter(({ satisfied }) => satisfied === true).length, criteria.length],
    tasks: tasks.map(({ id, title, outcome: how, reason }) => ({ id, title, outcome: how, reason })),
    commits: tasks.reduce((sum, { commits }) => sum + commits.length, 0),
    conflict: merged !== null && "conflict" in merged ? merged.conflict : null,
    startedAt,
    durationMs: completedAt === null ? null : Date.parse(completedAt) - Date.parse(startedAt),
    usage,
  };
}
