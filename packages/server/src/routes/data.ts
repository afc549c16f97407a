import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { DurableEvent, FileDiff, type StoredEvent } from "@ralpher/contract";
import { answerInvalid } from "../answer-fault.ts";
import type { ApiParts } from "../api.ts";
import { faults, idParam, json, loopIdOf } from "./shapes.ts";

const page = z.object({
  after: z.coerce.number().int().nonnegative().optional(),
  before: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
  /** Take the page from the newest end. */
  newest: z.stringbool().default(false),
});
const Entry = DurableEvent.and(z.object({ seq: z.int().positive() }));
const File = z.object({ content: z.string().nullable() });

const logs = createRoute({
  method: "get",
  path: "/api/loops/{id}/logs",
  summary: "What happened in a loop, a page at a time by sequence number, oldest first",
  request: { params: idParam, query: page },
  responses: { 200: json(z.array(Entry), "the entries"), ...faults(400, 404) },
});
const messages = createRoute({
  method: "get",
  path: "/api/loops/{id}/messages",
  summary: "What the agent said in a loop, a page at a time",
  request: { params: idParam, query: page },
  responses: { 200: json(z.array(Entry), "the messages"), ...faults(400, 404) },
});
const diff = createRoute({
  method: "get",
  path: "/api/loops/{id}/diff",
  summary: "All changes of a loop, or of one of its commits",
  request: {
    params: idParam,
    query: z.object({
      commit: z
        .string()
        .regex(/^[0-9a-f]{7,64}$/)
        .optional(),
    }),
  },
  responses: { 200: json(z.array(FileDiff), "the changed files"), ...faults(400, 404) },
});
const plan = createRoute({
  method: "get",
  path: "/api/loops/{id}/plan",
  summary: "The loop's .planning/plan.md",
  request: { params: idParam },
  responses: { 200: json(File, "the file; null when there is none"), ...faults(404) },
});
const status = createRoute({
  method: "get",
  path: "/api/loops/{id}/status-file",
  summary: "The loop's .planning/status.md",
  request: { params: idParam },
  responses: { 200: json(File, "the file; null when there is none"), ...faults(404) },
});

export function dataRoutes({ hub }: ApiParts) {
  const read = async (id: string, query: z.infer<typeof page>, types?: StoredEvent["type"][]) => {
    const { id: loopId } = await hub.require(loopIdOf(id));
    return await hub.read({ loopId, ...query, types });
  };
  const file = async (id: string, path: string) => ({ content: await hub.readFile(loopIdOf(id), path) });
  return new OpenAPIHono({ defaultHook: answerInvalid })
    .openapi(logs, async (c) => c.json(await read(c.req.valid("param").id, c.req.valid("query")), 200))
    .openapi(messages, async (c) =>
      c.json(await read(c.req.valid("param").id, c.req.valid("query"), ["loop.message"]), 200),
    )
    .openapi(diff, async (c) => {
      const { commit } = c.req.valid("query");
      return c.json(
        await hub.diff(loopIdOf(c.req.valid("param").id), commit === undefined ? undefined : { commit }),
        200,
      );
    })
    .openapi(plan, async (c) => c.json(await file(c.req.valid("param").id, ".planning/plan.md"), 200))
    .openapi(status, async (c) => c.json(await file(c.req.valid("param").id, ".planning/status.md"), 200));
}
