import { createRoute, z } from "@hono/zod-openapi";
import { Fault, LoopId } from "@ralpher/contract";

/** The body of every answer that is a fault (seed 004, §5.2); each code adds what it knows. */
export const FaultBody = z.looseObject({ error: z.string(), message: z.string() }).openapi("Fault");

export const idParam = z.object({ id: z.string().openapi({ description: "the loop's id", format: "uuid" }) });

/** A whole number of a query or a header, from `least` on. One that is empty was not given: it is not 0. */
export const wholeFrom = (least: number) =>
  z
    .union([z.string(), z.number()])
    .optional()
    .transform((given) => (typeof given === "string" ? given.trim() || undefined : given))
    .pipe(z.coerce.number<string | number>("not a number").int().min(least).optional())
    .openapi({ type: "integer", minimum: least });

/** The loop a path names. @throws Fault `loop_not_found`: an id that is no id names no loop either */
export function loopIdOf(text: string): LoopId {
  const parsed = LoopId.safeParse(text);
  if (!parsed.success) throw new Fault("loop_not_found", { id: text });
  return parsed.data;
}

/** A JSON answer in a route's description. */
export function json<S extends z.ZodType>(schema: S, description: string) {
  return { description, content: { "application/json": { schema } } };
}

/** The faults a route can answer with, in its description. */
export function faults(...statuses: (400 | 401 | 403 | 404 | 409 | 413 | 429 | 502 | 503)[]) {
  const words = {
    400: "the request is not well-formed",
    401: "no token",
    403: "refused",
    404: "no such loop",
    409: "not possible as things are",
    413: "larger than is taken",
    429: "too many wrong tokens; Retry-After says when to go on",
    502: "the agent did not answer as it should",
    503: "something Ralpher needs is missing",
  };
  return Object.fromEntries(statuses.map((status) => [status, json(FaultBody, words[status])])) as {
    [S in (typeof statuses)[number]]: ReturnType<typeof json<typeof FaultBody>>;
  };
}

/** A JSON request body in a route's description. An absent body counts as `{}`. */
export function body<S extends z.ZodType>(schema: S, required = true) {
  return { body: { required, content: { "application/json": { schema } } } };
}

/** The route of something that is asked of a loop: POST, with a body that may be absent. */
export const commandRoute = <V extends string, S extends z.ZodType, A extends z.ZodType>(
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

export const Success = z.object({ success: z.literal(true) });
export const success = { success: true } as const;
