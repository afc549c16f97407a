import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { type LoopId, SayRequest, StartRequest } from "@ralpher/contract";
import { answerInvalid } from "../answer-fault.ts";
import type { ApiParts } from "../api.ts";
import { body, commandRoute, faults, idParam, json, loopIdOf, Success, success } from "./shapes.ts";

const Nothing = z.object({}).optional();

const start = commandRoute("start", "Start a loop, or start it again", StartRequest.optional(), Success);
const stop = commandRoute(
  "stop",
  "Stop a loop: its agent is ended",
  z.object({ reason: z.string() }).partial().optional(),
  Success,
);
const pause = commandRoute(
  "pause",
  "Pause a loop when its iteration ends, or now",
  z.object({ now: z.boolean() }).partial().optional(),
  Success,
);
const resume = commandRoute("resume", "Let a paused loop go on", Nothing, Success);
const say = createRoute({
  method: "post",
  path: "/api/loops/{id}/say",
  summary: "Say something to a loop: its next turn begins with it; `now` ends the turn under way",
  request: { params: idParam, ...body(SayRequest) },
  responses: { 200: json(Success, "recorded"), ...faults(400, 404, 409) },
});
const unsay = createRoute({
  method: "delete",
  path: "/api/loops/{id}/say/{seq}",
  summary: "Take back what no turn has begun with",
  request: { params: idParam.extend({ seq: z.coerce.number().int().positive() }) },
  responses: { 200: json(Success, "taken back"), ...faults(404, 409) },
});
const discard = commandRoute("discard", "Throw the loop's work away", Nothing, Success);

export function controlRoutes({ hub }: ApiParts) {
  const idOf = (c: { req: { valid: (from: "param") => { id: string } } }): LoopId => loopIdOf(c.req.valid("param").id);
  return new OpenAPIHono({ defaultHook: answerInvalid })
    .openapi(start, async (c) => {
      await hub.dispatch({ type: "start", loopId: idOf(c), ...c.req.valid("json") });
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
    .openapi(say, async (c) => {
      await hub.dispatch({ type: "say", loopId: idOf(c), ...c.req.valid("json") });
      return c.json(success, 200);
    })
    .openapi(unsay, async (c) => {
      const { id, seq } = c.req.valid("param");
      await hub.dispatch({ type: "unsay", loopId: loopIdOf(id), seq });
      return c.json(success, 200);
    })
    .openapi(discard, async (c) => {
      await hub.dispatch({ type: "discard", loopId: idOf(c) });
      return c.json(success, 200);
    });
}
