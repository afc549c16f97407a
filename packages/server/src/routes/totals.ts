import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import {
  addUsage,
  type Hub,
  isFault,
  type LoopId,
  type LoopView,
  openIteration,
  Totals,
  unknownUsage,
} from "@ralpher/contract";
import { answerInvalid } from "../answer-fault.ts";
import type { ApiParts } from "../api.ts";
import { faults, json } from "./shapes.ts";

const totals = createRoute({
  method: "get",
  path: "/api/totals",
  summary: "What all loops did since a time: iterations, commits, tokens, money",
  request: { query: z.object({ since: z.iso.datetime({ offset: true }) }) },
  responses: { 200: json(Totals, "the sums; what no agent reported is null"), ...faults(400) },
});

export function totalsRoutes({ hub }: ApiParts) {
  return new OpenAPIHono({ defaultHook: answerInvalid }).openapi(totals, async (c) =>
    c.json(await sumSince(hub, Date.parse(c.req.valid("query").since)), 200),
  );
}

const page = 100;

/** Loops come newest activity first, so the reading ends with the first that has rested since then. */
async function sumSince(hub: Hub, since: number): Promise<Totals> {
  const sum: Totals = {
    since: new Date(since).toISOString(),
    loops: 0,
    iterations: 0,
    commits: 0,
    usage: unknownUsage,
  };
  // The order changes while it is read: what moved down comes twice.
  const seen = new Set<LoopId>();
  for (let offset = 0; ; offset += page) {
    const lines = await hub.list({ limit: page, offset });
    for (const { config, state } of lines) {
      if (Date.parse(state.lastActivityAt ?? config.createdAt) < since) return sum;
      if (seen.has(config.id)) continue;
      seen.add(config.id);
      const view = await hub.require(config.id).catch(nullWhenGone);
      if (view !== null) await add(hub, sum, view, since);
    }
    if (lines.length < page) return sum;
  }
}

/** Add what one loop did. Its view knows the newest iterations; only who did more since then is asked for the rest. */
async function add(hub: Hub, sum: Totals, view: LoopView, since: number): Promise<void> {
  const open = openIteration(view);
  const done = view.recent.filter(({ completedAt }) => Date.parse(completedAt) >= since);
  const oldest = view.recent[0];
  const mayBeMore = done.length === view.recent.length && oldest !== undefined && oldest.iteration > 1;
  const parts = mayBeMore ? await readDone(hub, view, since) : done;
  for (const part of open === null ? parts : [...parts, open]) {
    sum.iterations += 1;
    sum.commits += part.commits;
    sum.usage = addUsage(sum.usage, part.usage);
  }
  if (parts.length > 0 || open !== null) sum.loops += 1;
}

function nullWhenGone(error: unknown): null {
  if (isFault(error, "loop_not_found")) return null;
  throw error;
}

type Part = Pick<LoopView["recent"][number], "commits" | "usage">;

async function readDone(hub: Hub, { id }: LoopView, since: number): Promise<Part[]> {
  const parts: Part[] = [];
  for (let before: number | undefined; ; ) {
    const iterations = await hub.iterations(id, { before });
    for (const { completedAt, commits, usage } of iterations) {
      if (completedAt !== undefined && Date.parse(completedAt) >= since) parts.push({ commits: commits.length, usage });
    }
    const first = iterations[0];
    if (first === undefined || first.iteration <= 1 || Date.parse(first.startedAt) < since) return parts;
    before = first.seq;
  }
}
