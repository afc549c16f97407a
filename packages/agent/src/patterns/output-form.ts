import { Fault, type JsonSchema } from "@ralpher/contract";
import { z } from "zod";

/** The form of an answer, as the agent is told it and as we check it. */
export interface OutputForm<T> {
  schema: JsonSchema;
  /** @throws Fault `output_invalid` with every path that is wrong and why */
  parse(structured: unknown): Promise<T>;
}

/**
 * Agents answer with an object; anything else is asked for as the only field of one.
 * @throws Fault `invalid_input` for a schema that JSON Schema has no words for (a Date, say)
 */
export function outputForm<T>(agent: string, type: z.ZodType<T>): OutputForm<T> {
  const schema = toJsonSchema(type);
  const isObject = schema.type === "object";
  const asked = isObject ? type : z.object({ answer: type });
  const invalid = (issues: { path: string; message: string }[], output: unknown) =>
    new Fault("output_invalid", { agent, issues, output });
  return {
    schema: isObject ? schema : toJsonSchema(asked),
    async parse(structured) {
      // Even where the schema would have a default for it.
      if (structured === undefined) {
        throw invalid([{ path: "(root)", message: "it gave no structured answer at all" }], structured);
      }
      const checked = await asked.safeParseAsync(structured);
      if (!checked.success) throw invalid(issuesOf(checked.error.issues, []), structured);
      return (isObject ? checked.data : (checked.data as { answer: T }).answer) as T;
    },
  };
}

function toJsonSchema(type: z.ZodType): JsonSchema {
  try {
    return z.toJSONSchema(type, { io: "input" }) as JsonSchema;
  } catch (cause) {
    const issue = { path: "output", message: (cause as Error).message };
    throw new Fault("invalid_input", { what: "invocation", issues: [issue] }, { cause });
  }
}

/** Every wrong path. Where a value fits none of a union's members, the paths in the member it is nearest to. */
function issuesOf(issues: readonly z.core.$ZodIssue[], at: PropertyKey[]): { path: string; message: string }[] {
  return issues.flatMap((issue) => {
    const path = [...at, ...issue.path];
    if (issue.code === "invalid_union") {
      const deep = issue.errors.filter((member) => member.some(({ path: inner }) => inner.length > 0));
      const nearest = deep.toSorted((a, b) => a.length - b.length)[0];
      if (nearest !== undefined) return issuesOf(nearest, path);
    }
    return [{ path: path.map(String).join(".") || "(root)", message: messageOf(issue) }];
  });
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_union") return issue.message;
  const wanted = issue.errors.map((member) => member.map(({ message }) => message).join(" and "));
  return wanted.length === 0 ? issue.message : wanted.join(", or ");
}
