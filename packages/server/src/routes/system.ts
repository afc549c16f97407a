import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { BackendReport } from "@ralpher/contract";
import { answerInvalid } from "../answer-fault.ts";
import type { ApiParts } from "../api.ts";
import { json } from "./shapes.ts";

const health = createRoute({
  method: "get",
  path: "/api/health",
  summary: "Is the server well?",
  responses: { 200: json(z.object({ healthy: z.boolean(), version: z.string() }), "it is") },
});

const backends = createRoute({
  method: "get",
  path: "/api/backends",
  summary: "The agent runtimes, what they can do, and whether they are there",
  responses: { 200: json(z.array(BackendReport), "the backends") },
});

const inspect = createRoute({
  method: "get",
  path: "/api/directory",
  summary: "What a folder is like for a loop",
  request: { query: z.object({ path: z.string().min(1) }) },
  responses: { 200: json(z.looseObject({ kind: z.string() }), "the report") },
});

export function systemRoutes({ hub, version }: ApiParts) {
  return new OpenAPIHono({ defaultHook: answerInvalid })
    .openapi(health, (c) => c.json({ healthy: true, version }, 200))
    .openapi(backends, async (c) => c.json(await hub.backends(), 200))
    .openapi(inspect, async (c) => c.json({ ...(await hub.inspect(c.req.valid("query").path)) }, 200));
}
