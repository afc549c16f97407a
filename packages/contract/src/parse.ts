import type { z } from "zod";
import { Fault } from "./fault.ts";

/** Turn unknown input into a typed value, or throw an `invalid_input` fault that names every failing path. */
export function parse<S extends z.ZodType>(schema: S, input: unknown, what: string): z.infer<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new Fault("invalid_input", {
    what,
    issues: result.error.issues.map((issue) => ({
      path: issue.path.map(String).join(".") || "(root)",
      message: issue.message,
    })),
  });
}
