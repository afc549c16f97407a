import type { Regression, TestResult } from "@ralpher/contract";

type Ran = Extract<TestResult, { kind: "ran" }>;

/** So many names a result holds at most; of one that is full it is not known what else failed. */
const fullAt = 200;

/**
 * What is worse in `now` than in the baseline: by names where they are known, else by numbers and exit codes. Without a
 * baseline, whatever fails is new. Pure.
 */
export function compareTests(baseline: TestResult, now: TestResult): Regression {
  const before = baseline.kind === "ran" ? baseline : null;
  if (now.kind === "none") {
    const isWorse = before !== null && before.passed !== 0 && before.exitCode === 0;
    return { tests: [], note: isWorse ? "Nothing says any more how the tests are run." : null };
  }
  const tests = newFailures(before, now);
  return { tests, note: endedNote(before, now) ?? (tests.length > 0 ? null : unnamedNote(before, now)) };
}

function newFailures(before: Ran | null, now: Ran): string[] {
  if (now.failing === null || (before?.failing ?? []).length >= fullAt) return [];
  const known = new Set(before?.failing);
  // Names without a list to hold them against: numbers tell more.
  if (before !== null && before.failing === null && before.exitCode !== 0) return [];
  return now.failing.filter((name) => !known.has(name));
}

function endedNote(before: Ran | null, now: Ran): string | null {
  if (now.exitCode !== null || before?.exitCode === null) return null;
  return `The tests did not end within ${Math.round(now.durationMs / 1000)} s${before === null ? "" : ", and before they did"}.`;
}

function unnamedNote(before: Ran | null, now: Ran): string | null {
  const fails = now.exitCode !== 0 && now.exitCode !== null;
  const code = `exit code ${now.exitCode}`;
  if (before === null) return fails ? `The tests fail (${code}).` : null;
  if (now.failed !== null && before.failed !== null && now.failed > before.failed) {
    return `More tests fail than before: ${now.failed}, and ${before.failed} before.`;
  }
  if (fails && before.exitCode === 0) return `The tests fail (${code}), and before they did not.`;
  // Broken before they could tell anything: a build that fails, for one.
  if (fails && now.failed === null && before.failed !== null) return `The tests cannot be run to their end (${code}).`;
  if (now.passed === 0 && before.passed !== null && before.passed > 0) {
    return `No test passes any more, and before ${before.passed} did.`;
  }
  return null;
}
