import { numberBefore, type Reader } from "../told.ts";

/** What stands where a test's name does and is none. */
const noTest = /^(Console|Cannot log after tests are done|Process from config .*)/;

/** Jest. Names: `file > suite › test`; a file that cannot be loaded by its own. */
export const readJest: Reader = (lines) => {
  const failing = new Set<string>();
  const unloaded = new Set<string>();
  let file: string | null = null;
  let passed = 0;
  let failed = 0;
  let isTold = false;
  let hasNone = false;
  for (const line of lines) {
    const head = /^(PASS|FAIL) (\S.*?)(?: \([\d.]+ m?s\))?$/.exec(line);
    const name = /^ {2}● (\S.*)$/.exec(line)?.[1];
    if (head !== null) file = head[1] === "FAIL" ? (head[2] ?? "").replace(/^\.\//, "") : null;
    else if (name !== undefined && file !== null && !noTest.test(name)) {
      // With many files the failures are listed once more at the end; the same names, so they count once.
      if (name === "Test suite failed to run") unloaded.add(file);
      else failing.add(`${file} > ${name}`);
    } else if (/^Tests: +(.+, )?\d+ total$/.test(line)) {
      isTold = true;
      file = null;
      passed += numberBefore(/passed/, line);
      failed += numberBefore(/failed/, line);
    } else if (/^No tests found(, exiting with code \d| related to files changed)/.test(line)) hasNone = true;
  }
  if (!isTold && !hasNone) return null;
  return {
    passed,
    failed: failed + unloaded.size,
    failing: [...failing, ...unloaded],
    hasNone: hasNone && !isTold,
  };
};
