import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { DurableEvent, IterationDetail, SearchPage, type StoredEvent } from "@ralpher/contract";
import type { Context } from "hono";
import { answerInvalid } from "../answer-fault.ts";
import type { ApiParts } from "../api.ts";
import { answerJson } from "./packed.ts";
import { rawPage } from "./raw-page.ts";
import { faults, idParam, json, loopIdOf, wholeFrom } from "./shapes.ts";

const eventTypes = DurableEvent.options.map(({ shape }) => shape.type.value);
const page = z.object({
  after: wholeFrom(0),
  before: wholeFrom(1),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
  /** Take the page from the newest end. */
  newest: z.stringbool().default(false),
  types: z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(z.enum(eventTypes)))
    .optional()
    .openapi({ type: "string", description: "only events of these types, separated by commas" }),
});
const iterationsPage = z.object({
  before: wholeFrom(1),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
const searchQuery = z.object({
  text: z.string().min(1).max(500),
  before: wholeFrom(1),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
const Entry = DurableEvent.and(z.object({ seq: z.int().positive() }));

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
const iterations = createRoute({
  method: "get",
  path: "/api/loops/{id}/iterations",
  summary: "The iterations of a loop, oldest first; the newest page, or the one before the iteration at a seq",
  request: { params: idParam, query: iterationsPage },
  responses: { 200: json(z.array(IterationDetail), "the iterations"), ...faults(400, 404) },
});
const search = createRoute({
  method: "get",
  path: "/api/loops/{id}/search",
  summary: "Where a text is in a loop's log, newest first, without regard to case",
  description:
    "A long log is looked through in several requests: `next` is the `before` of the next one, null at the end.",
  request: { params: idParam, query: searchQuery },
  responses: { 200: json(SearchPage, "the hits"), ...faults(400, 404) },
});

export function dataRoutes({ hub }: ApiParts) {
  const answer = async (
    c: Context,
    { id }: { id: string },
    query: z.infer<typeof page>,
    types?: StoredEvent["type"][],
  ) => {
    const { id: loopId } = await hub.require(loopIdOf(id));
    const rows = await hub.readRaw({ loopId, ...query, types: query.types ?? types });
    const length = rows.reduce((sum, { json }) => sum + json.length, 0);
    return answerJson(rawPage(rows), length, c.req.header("accept-encoding")) as never;
  };
  return new OpenAPIHono({ defaultHook: answerInvalid })
    .openapi(logs, (c) => answer(c, c.req.valid("param"), c.req.valid("query")))
    .openapi(messages, (c) => answer(c, c.req.valid("param"), c.req.valid("query"), ["loop.message"]))
    .openapi(iterations, async (c) =>
      c.json(await hub.iterations(loopIdOf(c.req.valid("param").id), c.req.valid("query")), 200),
    )
    .openapi(search, async (c) =>
      c.json(await hub.search(loopIdOf(c.req.valid("param").id), c.req.valid("query")), 200),
    );
}
