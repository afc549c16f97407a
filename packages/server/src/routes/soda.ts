import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { Claims, SodaReport } from "@ralpher/contract";
import { answerInvalid } from "../answer-fault.ts";
import type { ApiParts } from "../api.ts";
import { answerJson } from "./packed.ts";
import { faults, idParam, json, loopIdOf, wholeFrom } from "./shapes.ts";

const report = createRoute({
  method: "get",
  path: "/api/loops/{id}/soda",
  summary: "A SODA loop phase by phase: spec, iterations, learnings, summary",
  description:
    "The newest iterations, oldest first, or those before the iteration at a seq. An answer to a loop that is stuck is said: `POST …/say`.",
  request: {
    params: idParam,
    query: z.object({ before: wholeFrom(1), limit: z.coerce.number().int().min(1).max(200).default(50) }),
  },
  responses: { 200: json(SodaReport, "the report"), ...faults(400, 404, 409) },
});

const sense = createRoute({
  method: "get",
  path: "/api/loops/{id}/sense",
  summary: "What SENSE would claim of a SODA loop now; changes nothing",
  request: { params: idParam },
  responses: { 200: json(Claims, "the claims; a part that could not be read says why"), ...faults(404, 409) },
});

export function sodaRoutes({ hub }: ApiParts) {
  return new OpenAPIHono({ defaultHook: answerInvalid })
    .openapi(report, async (c) => {
      const text = JSON.stringify(await hub.soda(loopIdOf(c.req.valid("param").id), c.req.valid("query")));
      return answerJson([text], text.length, c.req.header("accept-encoding")) as never;
    })
    .openapi(sense, async (c) => c.json(await hub.sense({ loopId: loopIdOf(c.req.valid("param").id) }), 200));
}
