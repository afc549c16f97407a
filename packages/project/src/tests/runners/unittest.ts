import { numbered, type Reader } from "../told.ts";

/** Python's unittest. Names: `method (module.Class.method)`, as it says them. */
export const readUnittest: Reader = (lines) => {
  const failing: string[] = [];
  let passed = 0;
  let failed = 0;
  let ran = 0;
  let isTold = false;
  let isAfterRule = false;
  let failingBefore = 0;
  for (const line of lines) {
    const name = isAfterRule ? /^(?:FAIL|ERROR|UNEXPECTED SUCCESS): (.+)$/.exec(line)?.[1] : undefined;
    isAfterRule = /^={70}$/.test(line);
    const count = /^Ran (\d+) tests? in [\d.]+s$/.exec(line)?.[1];
    const end = /^(OK|FAILED|NO TESTS RAN)(?: \((.+)\))?$/.exec(line);
    if (name !== undefined) failing.push(name);
    else if (count !== undefined) {
      ran = Number(count);
      isTold = true;
    } else if (end !== null && isTold) {
      const of = (what: string) => Number(new RegExp(`\\b${what}=(\\d+)`).exec(end[2] ?? "")?.[1] ?? 0);
      const unexpected = of("unexpected successes");
      failed += of("failures") + of("errors") + unexpected;
      // A test with several failing parts is one that ran.
      const tests = new Set(failing.slice(failingBefore).map((one) => one.replace(/^(\S+ \([^()]+\)).*$/, "$1")));
      passed += Math.max(0, ran - tests.size - unexpected - of("skipped") - of("expected failures"));
      failingBefore = failing.length;
      ran = 0;
    }
  }
  return isTold ? { passed, failed, failing: numbered(failing), hasNone: passed + failed === 0 } : null;
};
