import { expect, test } from "bun:test";
import type { TestResult } from "@ralpher/contract";
import fc from "fast-check";
import { compareTests } from "./compare-tests.ts";

type Ran = Extract<TestResult, { kind: "ran" }>;

const ran = (more: Partial<Ran> = {}): Ran => ({
  kind: "ran",
  command: "bun test",
  exitCode: more.failed ? 1 : 0,
  passed: 5,
  failed: 0,
  failing: [],
  tail: "",
  durationMs: 1000,
  ...more,
});
const red = (...failing: string[]) => ran({ failed: failing.length, failing });
const unnamed = (exitCode: number, failed: number | null = null) =>
  ran({ exitCode, passed: null, failed, failing: null });
const none: TestResult = { kind: "none" };
const better = { tests: [], note: null };

test("[X-3] tests that fail now and did not before are named; those that failed before are not", () => {
  expect(compareTests(red("a", "b"), red("b", "c"))).toEqual({ tests: ["c"], note: null });
  expect(compareTests(red("a", "b"), red("b"))).toEqual(better);
  expect(compareTests(ran(), red("a"))).toEqual({ tests: ["a"], note: null });
});

test("[X-1, X-3] without a baseline all that fail are new, and no tests are no failure", () => {
  expect(compareTests(none, red("a"))).toEqual({ tests: ["a"], note: null });
  expect(compareTests(none, unnamed(2)).note).toBe("The tests fail (exit code 2).");
  expect(compareTests(none, ran())).toEqual(better);
  expect(compareTests(none, none)).toEqual(better);
});

test("[X-3] without names, numbers and exit codes tell", () => {
  expect(compareTests(unnamed(1, 2), unnamed(1, 3)).note).toBe("More tests fail than before: 3, and 2 before.");
  expect(compareTests(unnamed(1, 3), unnamed(1, 3))).toEqual(better);
  expect(compareTests(unnamed(0), unnamed(1)).note).toBe("The tests fail (exit code 1), and before they did not.");
  expect(compareTests(unnamed(1), unnamed(2))).toEqual(better);
  // Names have nothing to be held against, unless nothing failed at all.
  expect(compareTests(unnamed(1), red("a"))).toEqual(better);
  expect(compareTests(unnamed(0), red("a"))).toEqual({ tests: ["a"], note: null });
});

test("[X-3] what runs no longer is worse, though nothing is said to fail", () => {
  expect(compareTests(red("a"), unnamed(101)).note).toBe("The tests cannot be run to their end (exit code 101).");
  expect(compareTests(ran(), ran({ passed: 0 })).note).toBe("No test passes any more, and before 5 did.");
  expect(compareTests(ran(), none).note).toBe("Nothing says any more how the tests are run.");
  expect(compareTests(ran({ passed: 0 }), none)).toEqual(better);
  expect(compareTests(ran(), ran({ exitCode: 1 })).note).toBe("The tests fail (exit code 1), and before they did not.");
  expect(compareTests(red("a"), ran({ exitCode: 1, failed: 2, failing: ["a"] })).note).toContain("More tests fail");
});

test("[X-3] tests that were ended by the time limit are worse, unless they were before", () => {
  const ended = ran({ exitCode: null, passed: null, failed: null, failing: null, durationMs: 600_400 });
  expect(compareTests(ran(), ended).note).toBe("The tests did not end within 600 s, and before they did.");
  expect(compareTests(none, ended).note).toBe("The tests did not end within 600 s.");
  expect(compareTests(ended, ended)).toEqual(better);
});

test("of a list that is full it is not known what else failed, so numbers tell", () => {
  const many = Array.from({ length: 200 }, (_, n) => `t${n}`);
  const full = ran({ failed: 300, failing: many });
  expect(compareTests(full, ran({ failed: 299, failing: ["other", ...many.slice(1)] }))).toEqual(better);
  expect(compareTests(full, ran({ failed: 301, failing: many })).note).toContain("More tests fail");
});

const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e"));
const named = fc
  .record({ passed: fc.nat(9), failing: names, extra: fc.nat(2), isRed: fc.boolean() })
  .map(({ passed, failing, extra, isRed }): TestResult => {
    const failed = failing.length + (failing.length > 0 ? extra : 0);
    return ran({ passed, failing, failed, exitCode: failed > 0 || isRed ? 1 : 0 });
  });
const result = fc.oneof(
  named,
  fc.constant(none),
  fc
    .record({ exitCode: fc.option(fc.nat(3)), failed: fc.option(fc.nat(3)), passed: fc.option(fc.nat(3)) })
    .map((more): TestResult => ran({ ...more, failing: null })),
);

test("[X-3] a result is never worse than itself", () => {
  fc.assert(fc.property(result, (one) => expect(compareTests(one, one)).toEqual(better)));
});

test("[X-3] more failures are never less of a regression", () => {
  fc.assert(
    fc.property(result, named, names, (baseline, now, more) => {
      fc.pre(now.kind === "ran");
      const failing = [...new Set([...(now.failing ?? []), ...more])];
      const added = failing.length - (now.failing ?? []).length;
      fc.pre(added > 0);
      const worse: TestResult = { ...now, exitCode: 1, failing, failed: (now.failed ?? 0) + added };
      const one = compareTests(baseline, now);
      const two = compareTests(baseline, worse);
      for (const name of one.tests) expect(two.tests).toContain(name);
      if (one.tests.length > 0 || one.note !== null) expect(two.tests.length > 0 || two.note !== null).toBe(true);
    }),
  );
});
