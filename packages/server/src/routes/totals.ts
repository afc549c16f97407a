import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { Totals } from "@ralpher/contract";
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
    c.json(await hub.totals(new Date(c.req.valid("query").since)), 200),
  );
}
