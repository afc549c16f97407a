import {
  addUsage,
  type Journal,
  type LoopId,
  type LoopView,
  openIteration,
  type Totals,
  unknownUsage,
} from "@ralpher/contract";
import { readIterations } from "./iterations.ts";

const page = 100;

/** See Hub. Loops come newest activity first, so the reading ends with the first that has rested since then. */
export async function sumSince(journal: Journal, at: Date): Promise<Totals> {
  const since = at.getTime();
  const sum: Totals = {
    since: at.toISOString(),
    loops: 0,
    iterations: 0,
    commits: 0,
    usage: unknownUsage,
  };
  // The order changes while it is read: what moved down comes twice.
  const seen = new Set<LoopId>();
  for (let offset = 0; ; offset += page) {
    const lines = await journal.list({ limit: page, offset });
    for (const { config, state } of lines) {
      if (Date.parse(state.lastActivityAt ?? config.createdAt) < since) return sum;
      if (seen.has(config.id)) continue;
      seen.add(config.id);
      const view = await journal.find(config.id);
      if (view !== null) await add(journal, sum, view, since);
    }
    if (lines.length < page) return sum;
  }
}

/**
 * Add what one loop did here. Its view knows the newest iterations; only who did more since then is asked for the rest.
 * What a loop brought along when it was imported was done elsewhere, or is counted where it was exported from.
 */
async function add(journal: Journal, sum: Totals, view: LoopView, since: number): Promise<void> {
  const open = openIteration(view);
  const brought = await readBrought(journal, view.id);
  const own = view.recent.filter(({ iteration }) => iteration > brought);
  const done = own.filter(({ completedAt }) => Date.parse(completedAt) >= since);
  const oldest = own[0];
  const mayBeMore = done.length === own.length && oldest !== undefined && oldest.iteration > brought + 1;
  const parts = mayBeMore ? await readDone(journal, view, { since, brought }) : done;
  for (const part of open === null ? parts : [...parts, open]) {
    sum.iterations += 1;
    sum.commits += part.commits;
    sum.usage = addUsage(sum.usage, part.usage);
  }
  if (parts.length > 0 || open !== null) sum.loops += 1;
}

type Part = Pick<LoopView["recent"][number], "commits" | "usage">;

/** The number of the last iteration that it had when it came in; 0 for a loop that was made here. */
async function readBrought(journal: Journal, loopId: LoopId): Promise<number> {
  const [event] = await journal.read({ loopId, types: ["loop.imported"], newest: true, limit: 1 });
  return event?.type === "loop.imported" ? event.state.currentIteration : 0;
}

async function readDone(
  journal: Journal,
  view: LoopView,
  { since, brought }: { since: number; brought: number },
): Promise<Part[]> {
  const parts: Part[] = [];
  for (let before: number | undefined; ; ) {
    const iterations = await readIterations(journal, view, { before });
    for (const { iteration, completedAt, commits, usage } of iterations) {
      if (iteration <= brought || completedAt === undefined || Date.parse(completedAt) < since) continue;
      parts.push({ commits: commits.length, usage });
    }
    const first = iterations[0];
    if (first === undefined || first.iteration <= brought + 1 || Date.parse(first.startedAt) < since) return parts;
    before = first.seq;
  }
}
