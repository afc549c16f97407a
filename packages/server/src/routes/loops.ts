import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import {
  CreateLoopRequest,
  Loop,
  LoopStatus,
  LoopSummary,
  type LoopView,
  toLoop,
  UpdateLoopRequest,
} from "@ralpher/contract";
import { answerInvalid } from "../answer-fault.ts";
import type { ApiParts } from "../api.ts";
import { createListAnswer } from "./list-answer.ts";
import { answerJson } from "./packed.ts";
import { body, faults, idParam, json, loopIdOf, Success, success } from "./shapes.ts";

/** `?status=running,waiting` */
const statuses = z
  .string()
  .transform((text) => text.split(","))
  .pipe(z.array(LoopStatus));

const list = createRoute({
  method: "get",
  path: "/api/loops",
  summary: "List loops, newest activity first, a page at a time",
  description: "`status`: one or more, separated by commas. `text`: part of a name or directory.",
  request: {
    query: z.object({
      status: statuses.optional(),
      text: z.string().optional(),
      limit: z.coerce.number().int().min(1).max(1000).default(100),
      offset: z.coerce.number().int().nonnegative().default(0),
    }),
  },
  responses: {
    200: {
      ...json(z.array(LoopSummary), "the loops"),
      headers: z.object({
        "x-total-count": z.string().openapi({ description: "how many there are in all" }),
        "x-ralpher-seq": z.string().openapi({ description: "place in the event stream to go on from" }),
      }),
    },
    ...faults(400),
  },
});

const create = createRoute({
  method: "post",
  path: "/api/loops",
  summary: "Make a loop, and start it when asked",
  request: body(CreateLoopRequest),
  responses: { 201: json(Loop, "the new loop"), ...faults(400, 409, 503) },
});

const get = createRoute({
  method: "get",
  path: "/api/loops/{id}",
  summary: "One loop",
  request: { params: idParam },
  responses: { 200: json(Loop, "the loop"), ...faults(404) },
});

/** Not checked, for it is our own; its fields are in packages/contract/src/fold/view.ts. */
const View = z.custom<LoopView>().openapi("LoopView", {
  type: "object",
  properties: { seq: { type: "integer" } },
  required: ["seq"],
  additionalProperties: true,
});

const view = createRoute({
  method: "get",
  path: "/api/loops/{id}/view",
  summary: "One loop as folded from its events: what a client goes on folding from",
  request: { params: idParam },
  responses: { 200: json(View, "the view"), ...faults(404) },
});

const update = createRoute({
  method: "patch",
  path: "/api/loops/{id}",
  summary: "Change a loop's settings; a loop under way uses them from its next iteration",
  description: "`target`, the branch it merges into, only while it rests.",
  request: { params: idParam, ...body(UpdateLoopRequest) },
  responses: { 200: json(Loop, "the loop"), ...faults(400, 404, 409) },
});

const remove = createRoute({
  method: "delete",
  path: "/api/loops/{id}",
  summary: "Remove a loop, its worktree and its data",
  request: { params: idParam },
  responses: { 200: json(Success, "it is gone"), ...faults(404, 409) },
});

export function loopRoutes({ hub }: ApiParts) {
  const answerList = createListAnswer(hub);
  return new OpenAPIHono({ defaultHook: answerInvalid })
    .openapi(list, (c) => answerList(c.req.valid("query"), c.req.header("accept-encoding")) as never)
    .openapi(create, async (c) => c.json(toLoop(await hub.create(c.req.valid("json"))), 201))
    .openapi(get, async (c) => c.json(toLoop(await hub.require(loopIdOf(c.req.valid("param").id))), 200))
    .openapi(view, async (c) => {
      const text = JSON.stringify(await hub.require(loopIdOf(c.req.valid("param").id)));
      return answerJson([text], text.length, c.req.header("accept-encoding")) as never;
    })
    .openapi(update, async (c) => {
      const loopId = loopIdOf(c.req.valid("param").id);
      await hub.dispatch({ type: "update", loopId, changes: c.req.valid("json") });
      return c.json(toLoop(await hub.require(loopId)), 200);
    })
    .openapi(remove, async (c) => {
      await hub.dispatch({ type: "delete", loopId: loopIdOf(c.req.valid("param").id) });
      return c.json(success, 200);
    });
}
