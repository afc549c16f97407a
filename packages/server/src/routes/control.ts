import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { type LoopId, StartRequest } from "@ralpher/contract";
import { answerInvalid } from "../answer-fault.ts";
import type { ApiParts } from "../api.ts";
import { body, faults, idParam, json, loopIdOf, Success, success } from "./shapes.ts";

const control = <V extends string, S extends z.ZodType, A extends z.ZodType>(
  verb: V,
  summary: string,
  request: S,
  answer: A,
) =>
  createRoute({
    method: "post",
    path: `/api/loops/{id}/${verb}`,
    summary,
    request: { params: idParam, ...body(request, false) },
    responses: { 200: json(answer, "done"), ...faults(400, 404, 409, 503) },
  });

const Nothing = z.object({}).optional();

const start = control("start", "Start a loop, or start it again", StartRequest.optional(), Success);
const stop = control(
  "stop",
  "Stop a loop: its agent is ended",
  z.object({ reason: z.string() }).partial().optional(),
  Success,
);
const pause = control(
  "pause",
  "Pause a loop when its iteration ends, or now",
  z.object({ now: z.boolean() }).partial().optional(),
  Success,
);
const resume = control("resume", "Let a paused loop go on", Nothing, Success);
const accept = control(
  "accept",
  "Merge the loop's branch into the branch it began from",
  Nothing,
  Success.extend({ mergeCommit: z.string() }),
);
const discard = control("discard", "Throw the loop's work away", Nothing, Success);

export function controlRoutes({ hub }: ApiParts) {
  const idOf = (c: { req: { valid: (from: "param") => { id: string } } }): LoopId => loopIdOf(c.req.valid("param").id);
  return new OpenAPIHono({ defaultHook: answerInvalid })
    .openapi(start, async (c) => {
      await hub.dispatch({ type: "start", loopId: idOf(c), handleUncommitted: c.req.valid("json")?.handleUncommitted });
      return c.json(success, 200);
    })
    .openapi(stop, async (c) => {
      await hub.dispatch({ type: "stop", loopId: idOf(c), reason: c.req.valid("json")?.reason });
      return c.json(success, 200);
    })
    .openapi(pause, async (c) => {
      await hub.dispatch({ type: "pause", loopId: idOf(c), now: c.req.valid("json")?.now });
      return c.json(success, 200);
    })
    .openapi(resume, async (c) => {
      await hub.dispatch({ type: "resume", loopId: idOf(c) });
      return c.json(success, 200);
    })
    .openapi(accept, async (c) => {
      const view = await hub.dispatch({ type: "accept", loopId: idOf(c) });
      const mergeCommit = view?.phase.status === "accepted" ? view.phase.mergeCommit : "";
      return c.json({ ...success, mergeCommit }, 200);
    })
    .openapi(discard, async (c) => {
      await hub.dispatch({ type: "discard", loopId: idOf(c) });
      return c.json(success, 200);
    });
}
