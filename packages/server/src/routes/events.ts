import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { DurableEvent, EphemeralEvent, type LoopEvent, LoopId } from "@ralpher/contract";
import type { Context } from "hono";
import { answerInvalid } from "../answer-fault.ts";
import type { ApiParts } from "../api.ts";
import { connectionOf } from "../connection.ts";
import type { Watch } from "../feed/feed.ts";
import { faults, idParam, loopIdOf, wholeFrom } from "./shapes.ts";

const eventTypes = [...DurableEvent.options, ...EphemeralEvent.options].map(({ shape }) => shape.type.value);
const isEventType = (text: string): text is LoopEvent["type"] => (eventTypes as string[]).includes(text);

const query = z.object({
  /** The last event the client has; a Last-Event-ID header says it louder. */
  after: wholeFrom(0),
  types: z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(z.string().refine(isEventType, "there is no such event type")))
    .optional(),
});
const queryOfAll = query.extend({
  loop: LoopId.optional().openapi({
    description:
      "Besides the given types of all loops, everything of this loop: one stream for a list and a loop beside it. " +
      "`after` and Last-Event-ID are then about this loop; the events of the others begin now. " +
      "Of a loop that does not exist comes nothing.",
  }),
});
const headers = z.object({ "last-event-id": wholeFrom(0) });
const stream = {
  description: "server-sent events; `data:` is one event as JSON",
  content: { "text/event-stream": { schema: z.union([DurableEvent, EphemeralEvent]) } },
};

const all = createRoute({
  method: "get",
  path: "/api/events",
  summary: "Events of all loops as they happen",
  description:
    "`id:` is the sequence number of a durable event; a client that reconnects with it misses and repeats none.",
  request: { query: queryOfAll, headers },
  responses: { 200: stream, ...faults(400) },
});
const one = createRoute({
  method: "get",
  path: "/api/loops/{id}/events",
  summary: "Events of one loop as they happen",
  request: { params: idParam, query, headers },
  responses: { 200: stream, ...faults(400, 404) },
});

export function eventRoutes({ hub, feed }: ApiParts) {
  const open = (c: Context, watch: Watch) => {
    // Who reads nothing for so long comes back by himself.
    connectionOf(c).allow(feed.longestSilence);
    return new Response(feed.open(watch), {
      headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
    });
  };
  const watchOf = (
    loopId: Watch["loopId"],
    { after, types }: z.infer<typeof query>,
    { "last-event-id": last }: z.infer<typeof headers>,
  ): Watch => ({ loopId, types: (types as Watch["types"] | undefined) ?? null, after: last ?? after ?? null });
  return new OpenAPIHono({ defaultHook: answerInvalid })
    .openapi(all, (c) => {
      const { loop, ...query } = c.req.valid("query");
      return open(c, { ...watchOf(null, query, c.req.valid("header")), alsoLoop: loop }) as never;
    })
    .openapi(one, async (c) => {
      const { id } = await hub.require(loopIdOf(c.req.valid("param").id));
      return open(c, watchOf(id, c.req.valid("query"), c.req.valid("header"))) as never;
    });
}
