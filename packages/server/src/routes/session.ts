import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { answerInvalid } from "../answer-fault.ts";
import type { ApiParts } from "../api.ts";
import { body, faults, json, Success, success } from "./shapes.ts";

const Session = z.object({
  /** The server asks for a token. */
  required: z.boolean(),
  /** Whoever asks has given it, or needs none. */
  entered: z.boolean(),
});

const look = createRoute({
  method: "get",
  path: "/api/session",
  summary: "Does the server want a token, and was it given?",
  security: [],
  responses: { 200: json(Session, "how it is") },
});

const enter = createRoute({
  method: "post",
  path: "/api/session",
  summary: "Give the token, for a cookie",
  security: [],
  request: body(z.object({ token: z.string() })),
  responses: { 200: json(Success, "the cookie is set"), ...faults(400, 401, 429) },
});

const leave = createRoute({
  method: "delete",
  path: "/api/session",
  summary: "Take the cookie away",
  security: [],
  responses: { 200: json(Success, "it is gone") },
});

export function sessionRoutes({ lock }: Pick<ApiParts, "lock">) {
  return new OpenAPIHono({ defaultHook: answerInvalid })
    .openapi(look, (c) => c.json({ required: lock !== null, entered: lock?.hasEntered(c) ?? true }, 200))
    .openapi(enter, (c) => {
      lock?.requireToken(c, c.req.valid("json").token);
      lock?.letIn(c);
      return c.json(success, 200);
    })
    .openapi(leave, (c) => {
      lock?.letOut(c);
      return c.json(success, 200);
    });
}
