import type { Hook } from "@hono/zod-openapi";
import { Fault, isFault } from "@ralpher/contract";
import type { Context, Env } from "hono";
import { HTTPException } from "hono/http-exception";

/** Expected errors are told as they are; a bug is told to `onBug` in full and to the client without its insides. */
export function answerFault(onBug: (error: unknown) => void) {
  return (error: Error, c: Context): Response => {
    if (isFault(error, "too_many_attempts")) c.header("retry-after", String(error.data.seconds));
    if (isFault(error, "unauthorized")) c.header("www-authenticate", "Bearer");
    if (isFault(error)) return c.json(error.toJSON(), error.http);
    if (error instanceof HTTPException) {
      const issues = [{ path: "(root)", message: error.message }];
      return c.json(new Fault("invalid_input", { what: "request", issues }).toJSON(), error.status);
    }
    onBug(error);
    const message = "Something went wrong inside Ralpher. The server's log has the details.";
    return c.json({ error: "internal", message }, 500);
  };
}

/** Input that does not fit its schema: 400 with every failing path. */
export const answerInvalid: Hook<unknown, Env, string, unknown> = (result) => {
  if (result.success) return;
  const issues = result.error.issues.map((issue) => ({
    path: issue.path.map(String).join(".") || "(root)",
    message: issue.message,
  }));
  throw new Fault("invalid_input", { what: "request", issues });
};
