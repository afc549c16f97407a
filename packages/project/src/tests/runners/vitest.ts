import { numberBefore, type Reader } from "../told.ts";

/** Vitest. Names: `file > suite > test`; a file that cannot be loaded by its own. */
export const readVitest: Reader = (lines) => {
  const failing = new Set<string>();
  let passed = 0;
  let failed = 0;
  let isTold = false;
  let hasNone = false;
  let isInFailures = false;
  for (const line of lines) {
    const rule = /^⎯+ Failed (Suites|Tests) (\d+) ⎯+$/.exec(line);
    const name = /^ FAIL {2}(.+)$/.exec(line)?.[1];
    const tests = /^ +Tests {2}(.+)$/.exec(line)?.[1];
    if (rule !== null) {
      isInFailures = true;
      // A file that cannot be loaded is not among the tests.
      if (rule[1] === "Suites") failed += Number(rule[2]);
    } else if (name !== undefined && isInFailures) failing.add(name.replace(/ \[ .+ \]$/, ""));
    else if (tests !== undefined) {
      passed += numberBefore(/passed/, tests);
      failed += numberBefore(/failed/, tests);
    } else if (/^ Test Files {2}/.test(line)) {
      isTold = true;
      isInFailures = false;
    } else if (/^No test files found, exiting with code \d/.test(line)) hasNone = true;
  }
  if (!isTold && !hasNone) return null;
  return { passed, failed, failing: [...failing], hasNone: hasNone && !isTold };
};
