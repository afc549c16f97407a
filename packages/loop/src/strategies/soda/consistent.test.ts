import { expect, test } from "bun:test";
import type { CriterionVerdict } from "@ralpher/contract";
import { orientation } from "../../../test/paper-soda.ts";
import { consistent, hasPoints } from "./consistent.ts";

const verdict = (satisfied: CriterionVerdict["satisfied"], file?: string): CriterionVerdict => ({
  criterion: "it greets",
  satisfied,
  evidence: file === undefined ? [] : [{ file }],
});
const wholeOf = (criteria: CriterionVerdict[], spec = "- [ ] it greets\n") =>
  consistent(orientation({ spec_satisfied: true, criteria }), spec).spec_satisfied;

test("[O-4] the whole is satisfied only when every criterion was judged so, on evidence", () => {
  expect(wholeOf([verdict(true, "a.ts")])).toBe(true);
  expect(wholeOf([verdict(true, "a.ts"), verdict(false)])).toBe(false);
  expect(wholeOf([verdict(true, "a.ts"), verdict("unverifiable")])).toBe("unverifiable");
  expect(wholeOf([verdict(true)])).toBe("unverifiable");
  expect(wholeOf([])).toBe("unverifiable");
  expect(wholeOf([verdict(true, "a.ts")], "- [ ] it greets\n  1. [x] politely\n")).toBe("unverifiable");
});

test("[O-4] a verdict without evidence says so", () => {
  const { criteria } = consistent(orientation({ criteria: [verdict(true)] }), "");
  expect(criteria[0]).toMatchObject({ satisfied: "unverifiable", note: expect.stringContaining("without evidence") });
});

test("a spec that says nothing in points is told from one that does", () => {
  expect(hasPoints("# Greeter\n\nIt greets.\n")).toBe(false);
  expect(hasPoints("# Greeter\n\n1. It greets.\n")).toBe(true);
});
