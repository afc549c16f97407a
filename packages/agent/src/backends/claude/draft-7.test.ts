import { expect, test } from "bun:test";
import { z } from "zod";
import { toDraft7 } from "./draft-7.ts";

test("a schema of everyday words stays as it is, but for its draft", () => {
  const { $schema, ...schema } = z.toJSONSchema(
    z.strictObject({
      kind: z.enum(["a", "b"]),
      list: z.array(z.union([z.int(), z.null()])),
      note: z.string().optional(),
    }),
  );
  expect($schema).toContain("2020-12");
  expect(toDraft7({ $schema, ...schema })).toEqual(schema);
});

test("tuples are put into the words of draft 7, at any depth", () => {
  const schema = { properties: { pair: { prefixItems: [{ type: "string" }, { prefixItems: [true] }], items: false } } };
  expect(toDraft7(schema)).toEqual({
    properties: { pair: { items: [{ type: "string" }, { items: [true] }], additionalItems: false } },
  });
});

test("what draft 7 cannot say is left out, and names and values that look like it are not", () => {
  const schema = {
    anyOf: [{ unevaluatedProperties: false, type: "object" }],
    properties: { minContains: { type: "array", minContains: 2 }, prefixItems: { enum: [{ dependentRequired: 1 }] } },
    required: ["minContains"],
  };
  expect(toDraft7(schema)).toEqual({
    anyOf: [{ type: "object" }],
    properties: { minContains: { type: "array" }, prefixItems: { enum: [{ dependentRequired: 1 }] } },
    required: ["minContains"],
  });
});
