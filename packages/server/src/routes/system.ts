import { homedir } from "node:os";
import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { BackendReport, BackendType, ModelInfo } from "@ralpher/contract";
import { answerInvalid } from "../answer-fault.ts";
import type { ApiParts } from "../api.ts";
import { faults, json } from "./shapes.ts";

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

const directories = createRoute({
  method: "get",
  path: "/api/directories",
  summary: "Folders whose path begins with a text, for completion; at most 50",
  description: "Hidden folders only when the last part begins with a dot. `~/` is the home folder.",
  request: { query: z.object({ prefix: z.string().max(4096) }) },
  responses: { 200: json(z.array(z.object({ path: z.string(), repository: z.boolean() })), "the folders") },
});

const models = createRoute({
  method: "get",
  path: "/api/backends/{type}/models",
  summary: "The models that an agent offers in a folder, its default first; may start the agent",
  request: {
    params: z.object({ type: BackendType }),
    query: z.object({
      directory: z
        .string()
        .optional()
        .openapi({ description: "counts when a loop has worked on it here; else it is the home folder" }),
    }),
  },
  responses: { 200: json(z.array(ModelInfo), "the models; none when the agent does not tell"), ...faults(400, 503) },
});

export function systemRoutes({ hub, version }: ApiParts) {
  return new OpenAPIHono({ defaultHook: answerInvalid })
    .openapi(health, (c) => c.json({ healthy: true, version }, 200))
    .openapi(backends, async (c) => c.json(await hub.backends(), 200))
    .openapi(directories, async (c) => c.json(await hub.directories(c.req.valid("query").prefix), 200))
    .openapi(models, async (c) => {
      const { directory = homedir() } = c.req.valid("query");
      return c.json(await hub.models(c.req.valid("param").type, directory, c.req.raw.signal), 200);
    })
    .openapi(inspect, async (c) => c.json({ ...(await hub.inspect(c.req.valid("query").path)) }, 200));
}
