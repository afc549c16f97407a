import { expect, test } from "bun:test";
import { Fault } from "@ralpher/contract";
import { z } from "zod";
import { outputForm } from "./output-form.ts";

const criterion = z.strictObject({
  id: z.string(),
  satisfied: z.union([z.boolean(), z.literal("unverifiable")]),
  severity: z.enum(["low", "high"]).optional(),
  evidence: z.array(z.object({ file: z.string(), line: z.int().positive() })).default([]),
});
const assessment = z.strictObject({
  criteria: z.array(criterion),
  next: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("act"), tasks: z.array(z.string()).min(1) }),
    z.object({ kind: z.literal("stuck"), reason: z.string() }),
  ]),
});

function faultOf(run: () => unknown): Fault<"output_invalid"> {
  try {
    run();
  } catch (error) {
    if (error instanceof Fault && error.code === "output_invalid") return error as Fault<"output_invalid">;
  }
  throw new Error("it did not fail");
}

test("[A-OUT-1] what fits is parsed, defaults filled in, and typed", () => {
  const parsed = outputForm("claude", assessment).parse({
    criteria: [
      { id: "a", satisfied: "unverifiable" },
      { id: "b", satisfied: false, severity: "high", evidence: [{ file: "x.ts", line: 3 }] },
    ],
    next: { kind: "act", tasks: ["mend b"] },
  });
  const evidence: { file: string; line: number }[] | undefined = parsed.criteria[0]?.evidence;
  expect(evidence).toEqual([]);
  expect(parsed.next).toEqual({ kind: "act", tasks: ["mend b"] });
});

test("[A-OUT-2] what does not fit names every path and why, in unions and nested arrays too", () => {
  const fault = faultOf(() =>
    outputForm("claude", assessment).parse({
      criteria: [
        { id: 7, satisfied: "perhaps", evidence: [{ file: "x.ts", line: 0 }, { line: 1 }] },
        { id: "b", satisfied: true, severity: "medium", extra: 1 },
      ],
      next: { kind: "act", tasks: [] },
    }),
  );
  expect(fault.data.issues.map(({ path }) => path)).toEqual([
    "criteria.0.id",
    "criteria.0.satisfied",
    "criteria.0.evidence.0.line",
    "criteria.0.evidence.1.file",
    "criteria.1.severity",
    "criteria.1",
    "next.tasks",
  ]);
  for (const { message } of fault.data.issues) expect(message).not.toBe("");
  expect(fault.message).toContain("criteria.0.satisfied");
  expect(fault.message).toContain("unverifiable");
});

test("an unknown kind, and no answer at all, are told as such", () => {
  expect(
    faultOf(() => outputForm("acp", assessment).parse({ criteria: [], next: { kind: "rest" } })).data.issues,
  ).toMatchObject([{ path: "next.kind" }]);
  expect(faultOf(() => outputForm("acp", assessment).parse(undefined)).message).toContain("no structured answer");
});

test("a member of a union that is nearly right is told by its own paths", () => {
  const either = z.object({ it: z.union([z.object({ a: z.string(), b: z.int() }), z.string()]) });
  expect(faultOf(() => outputForm("acp", either).parse({ it: { a: "x", b: "y" } })).data.issues).toMatchObject([
    { path: "it.b" },
  ]);
});

test.each([
  ["an array", z.array(z.int()), [1, 2]],
  ["a union", z.union([z.literal("yes"), z.int()]), "yes"],
  ["a text", z.string(), "so"],
] as const)("%s is asked for as the field of an object, and comes out of it", (_, type, value) => {
  const form = outputForm("claude", type as z.ZodType);
  expect(form.schema).toMatchObject({ type: "object", required: ["answer"] });
  expect(form.parse({ answer: value })).toEqual(value);
  expect(faultOf(() => form.parse({ answer: { no: true } })).data.issues[0]?.path).toStartWith("answer");
});

test("what may be left out may be left out by the agent", () => {
  expect(outputForm("claude", criterion).schema.required).toEqual(["id", "satisfied"]);
});
