import { expect, test } from "bun:test";
import { Decision, type Verdict } from "@ralpher/contract";
import fc from "fast-check";
import { type Assessed, decide } from "./decide.ts";

const assessed = (spec_satisfied: Verdict, actionable_work_exists: boolean): Assessed => ({
  spec_satisfied,
  actionable_work_exists,
  gaps: [
    { severity: "minor", description: "a typo" },
    { severity: "critical", description: "no key for the payment provider" },
  ],
  summary: "three of four criteria hold",
});

test("[D-1, D-7] a satisfied spec is DONE, with the summary", () => {
  for (const actionable of [true, false]) {
    expect(decide(assessed(true, actionable))).toEqual({ outcome: "DONE", summary: "three of four criteria hold" });
  }
});

test("[D-2] an unsatisfied spec with work that can be done goes on", () => {
  expect(decide(assessed(false, true))).toEqual({ outcome: "CONTINUE" });
});

test("[D-3, D-7] an unsatisfied spec without work that can be done is STUCK, for the gaps, the worst first", () => {
  expect(decide(assessed(false, false))).toEqual({
    outcome: "STUCK",
    reason: "no key for the payment provider; a typo",
  });
});

test("[D-4] an unverifiable spec without work that can be done is STUCK", () => {
  expect(decide(assessed("unverifiable", false)).outcome).toBe("STUCK");
});

test("[D-5] an unverifiable spec with work that can be done goes on", () => {
  expect(decide(assessed("unverifiable", true))).toEqual({ outcome: "CONTINUE" });
});

const anything = fc.record({
  spec_satisfied: fc.constantFrom<Verdict>(true, false, "unverifiable"),
  actionable_work_exists: fc.boolean(),
  gaps: fc.array(
    fc.record({
      severity: fc.constantFrom("critical" as const, "major" as const, "minor" as const),
      description: fc.string({ minLength: 1 }),
    }),
  ),
  summary: fc.string({ minLength: 1 }),
});

test("[D-6] for every input there is one decision, always the same, and STUCK and DONE say why", () => {
  fc.assert(
    fc.property(anything, (input) => {
      const decision = decide(input);
      expect(Decision.parse(decision)).toEqual(decision);
      expect(decide(structuredClone(input))).toEqual(decision);
      expect(decision.outcome === "DONE").toBe(input.spec_satisfied === true);
      if (decision.outcome === "STUCK") expect(decision.reason).not.toBe("");
      if (decision.outcome === "DONE") expect(decision.summary).toBe(input.summary);
    }),
  );
});
