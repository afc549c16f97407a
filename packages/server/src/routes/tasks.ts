import { createRoute, OpenAPIHono } from "@hono/zod-openapi";
import { ChooseRequest, Loop, TaskDetail, toLoop } from "@ralpher/contract";
import { answerInvalid } from "../answer-fault.ts";
import type { ApiParts } from "../api.ts";
import { answerJson } from "./packed.ts";
import { body, faults, idParam, json, loopIdOf } from "./shapes.ts";

const detail = createRoute({
  method: "get",
  path: "/api/loops/{id}/task",
  summary: "A task loop, its file and its vault as they are now",
  description:
    "The file with its steps, how far the iteration under way has come, the counters against their limits, the newest 500 iterations, and what a human is asked.",
  request: { params: idParam },
  responses: { 200: json(TaskDetail, "the task"), ...faults(400, 404, 409) },
});

const choose = createRoute({
  method: "post",
  path: "/api/loops/{id}/choose",
  summary: "Answer what a task loop asked by a file in its vault; it goes on with that",
  request: { params: idParam, ...body(ChooseRequest) },
  responses: { 200: json(Loop, "the loop"), ...faults(400, 404, 409, 503) },
});

export function taskRoutes({ hub }: ApiParts) {
  return new OpenAPIHono({ defaultHook: answerInvalid })
    .openapi(detail, async (c) => {
      const text = JSON.stringify(await hub.task(loopIdOf(c.req.valid("param").id)));
      return answerJson([text], text.length, c.req.header("accept-encoding")) as never;
    })
    .openapi(choose, async (c) => {
      const loopId = loopIdOf(c.req.valid("param").id);
      await hub.dispatch({ type: "choose", loopId, ...c.req.valid("json") });
      return c.json(toLoop(await hub.require(loopId)), 200);
    });
}
