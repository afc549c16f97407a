import type { CriterionVerdict, Gap, Regression, TestResult, Verdict } from "@ralpher/contract";
import { attention, bad, dim, good } from "./style.ts";
import { cut, duration } from "./words.ts";
import { wrapped } from "./wrapped.ts";

/** A glyph for a verdict, coloured: never colour alone. */
export function verdictMark(satisfied: Verdict): string {
  return satisfied === true ? good("✓") : satisfied === false ? bad("✗") : attention("?");
}

/** Criteria as a checklist: what each verdict stands on below it, in a line. */
export function criteriaLines(criteria: CriterionVerdict[], indent = "  "): string[] {
  return criteria.flatMap((verdict) => {
    const why = evidenceWords(verdict);
    return [
      ...wrapped(verdict.criterion, { first: `${indent}${verdictMark(verdict.satisfied)} ` }),
      ...(why === "" ? [] : wrapped(cut(why, 240), { first: `${indent}  `, paint: dim })),
    ];
  });
}

/** Where it was seen: `src/greet.ts:12, test "greets"`; without a place, what was seen. Then the note. */
function evidenceWords({ evidence, note }: CriterionVerdict): string {
  const places = evidence.flatMap(({ file, line, test }) => [
    ...(file === undefined ? [] : [`${file}${line === undefined ? "" : `:${line}`}`]),
    ...(test === undefined ? [] : [`test "${test}"`]),
  ]);
  const seen = places.length === 0 ? evidence.flatMap(({ output }) => (output === undefined ? [] : [output])) : places;
  return [[...new Set(seen)].join(", "), note ?? ""].filter((part) => part !== "").join("; ");
}

/** `3 of 5 criteria satisfied` */
export function countWords(satisfied: number, all: number): string {
  const words = `${satisfied} of ${all} ${all === 1 ? "criterion" : "criteria"} satisfied`;
  return satisfied === all && all > 0 ? good(words) : words;
}

const severityPaint = { critical: bad, major: attention, minor: dim };

export function gapLines(gaps: Gap[], indent = "  "): string[] {
  return gaps.flatMap(({ severity, description }) =>
    wrapped(description, { first: `${indent}${severityPaint[severity](severity)}: ` }),
  );
}

/** `5 passed, 1 failed (bun test, 1.2 s)`; without counts, how the command ended. */
export function testWords(result: TestResult): string {
  if (result.kind === "none") return "there are none to run";
  const { passed, failed, exitCode, command, durationMs } = result;
  const counted = passed !== null || failed !== null;
  const words = counted
    ? `${passed ?? "?"} passed, ${failed ?? "?"} failed`
    : exitCode === 0
      ? "they pass"
      : `they fail with exit code ${exitCode}`;
  const told = exitCode !== null ? words : `ended, for they took too long${counted ? `; ${words}` : ""}`;
  return `${told} ${dim(`(${cut(command, 40)}, ${duration(durationMs)})`)}`;
}

const mostNames = 5;

/** What got worse since the baseline, if anything did. */
export function regressionLines({ tests, note }: Regression, indent = "  "): string[] {
  const names = tests.slice(0, mostNames).map((name) => `newly failing: ${name}`);
  const more = tests.length > mostNames ? [`and ${tests.length - mostNames} more`] : [];
  return [...names, ...more, ...(note === null ? [] : [note])].flatMap((line) =>
    wrapped(line, { first: `${indent}${bad("✗")} ` }),
  );
}
