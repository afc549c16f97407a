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

async function faultOf(run: () => Promise<unknown>): Promise<Fault<"output_invalid">> {
  try {
    await run();
  } catch (error) {
    if (error instanceof Fault && error.code === "output_invalid") return error as Fault<"output_invalid">;
  }
  throw new Error("it did not fail");
}

test("[A-OUT-1] what fits is parsed, defaults filled in, and typed", async () => {
  const parsed = await outputForm("claude", assessment).parse({
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

test("[A-OUT-2] what does not fit names every path and why, in unions and nested arrays too", async () => {
  const fault = await faultOf(() =>
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

test("an unknown kind, and no answer at all, are told as such", async () => {
  expect(
    (await faultOf(() => outputForm("acp", assessment).parse({ criteria: [], next: { kind: "rest" } }))).data.issues,
  ).toMatchObject([{ path: "next.kind" }]);
  expect((await faultOf(() => outputForm("acp", assessment).parse(undefined))).message).toContain(
    "no structured answer",
  );
});

test("a member of a union that is nearly right is told by its own paths", async () => {
  const either = z.object({ it: z.union([z.object({ a: z.string(), b: z.int() }), z.string()]) });
  expect((await faultOf(() => outputForm("acp", either).parse({ it: { a: "x", b: "y" } }))).data.issues).toMatchObject([
    { path: "it.b" },
  ]);
});

test.each([
  ["an array", z.array(z.int()), [1, 2]],
  ["a union", z.union([z.literal("yes"), z.int()]), "yes"],
  ["a text", z.string(), "so"],
] as const)("%s is asked for as the field of an object, and comes out of it", async (_, type, value) => {
  const form = outputForm("claude", type as z.ZodType);
  expect(form.schema).toMatchObject({ type: "object", required: ["answer"] });
  expect(await form.parse({ answer: value })).toEqual(value);
  expect((await faultOf(() => form.parse({ answer: { no: true } }))).data.issues[0]?.path).toStartWith("answer");
});

test("what may be left out may be left out by the agent", () => {
  expect(outputForm("claude", criterion).schema.required).toEqual(["id", "satisfied"]);
});

test("a default is no answer: an agent that gave none is told off", async () => {
  for (const type of [z.object({ a: z.string() }).default({ a: "x" }), z.string().optional(), z.object({}).catch({})]) {
    expect((await faultOf(() => outputForm("acp", type as z.ZodType).parse(undefined))).code).toBe("output_invalid");
  }
});

test("a check that takes its time is waited for", async () => {
  const type = z.object({ a: z.string().refine(async (a) => await Promise.resolve(a !== "bad"), "it is bad") });
  expect(await outputForm("acp", type).parse({ a: "good" })).toEqual({ a: "good" });
  expect((await faultOf(() => outputForm("acp", type).parse({ a: "bad" }))).message).toContain("it is bad");
});

test("a schema that cannot be told to an agent is refused", () => {
  expect(() => outputForm("acp", z.object({ on: z.date() }))).toThrow("output");
});
