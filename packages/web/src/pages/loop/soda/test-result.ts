import type { Regression, TestResult } from "@ralpher/contract";
import { plural } from "../../../words/count.ts";
import { formatDuration } from "../../../words/duration.ts";

/** What a run of the tests showed, in a few words; null when there are none to run. */
export function testWords(result: TestResult): { text: string; good: boolean } | null {
  if (result.kind === "none") return null;
  const { exitCode, passed, failed, durationMs } = result;
  const time = formatDuration(durationMs);
  if (exitCode === null) return { text: `ended after ${time}: it took too long`, good: false };
  if (passed === null && failed === null) {
    return {
      text: exitCode === 0 ? `passed in ${time}` : `failed (exit code ${exitCode}) in ${time}`,
      good: exitCode === 0,
    };
  }
  const parts = [
    ...(passed === null ? [] : [`${passed} passed`]),
    ...(failed === null || failed === 0 ? [] : [`${failed} failed`]),
  ];
  return { text: `${parts.join(", ") || "nothing ran"} in ${time}`, good: exitCode === 0 };
}

/** What got worse since the baseline, in a sentence; null when nothing did. */
export function regressionWords(regression: Regression | null): string | null {
  if (regression === null) return null;
  const { tests, note } = regression;
  if (tests.length > 0)
    return `${plural(tests.length, "test")} that passed before ${tests.length === 1 ? "fails" : "fail"} now`;
  return note;
}
