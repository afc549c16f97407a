import { numbered, type Reader } from "../told.ts";

/** Mocha. Names: `suite > test`, for it names no files. */
export const readMocha: Reader = (lines) => {
  const failing: string[] = [];
  let passed = 0;
  let failed = 0;
  let isTold = false;
  let hasNone = false;
  /** Which failure is described next; null where none are. */
  let expected: number | null = null;
  let title: string[] | null = null;
  for (const line of lines) {
    const passing = /^ {2}(\d+) passing \(.+\)$/.exec(line)?.[1];
    const failures = /^ {2}(\d+) failing$/.exec(line)?.[1];
    // What a test prints may look the same; the numbers tell.
    const first = expected === null ? undefined : new RegExp(`^ {2}${expected}\\) (.+)$`).exec(line)?.[1];
    if (passing !== undefined) {
      isTold = true;
      passed += Number(passing);
      expected = null;
    } else if (failures !== undefined && isTold) {
      failed += Number(failures);
      expected = 1;
    } else if (first !== undefined) {
      title = [first];
      expected = (expected ?? 0) + 1;
    } else if (title !== null) title.push(line.trim());
    else if (/^Error: No test files found/.test(line)) hasNone = true;
    if (title?.at(-1)?.endsWith(":")) {
      failing.push(title.join(" > ").slice(0, -1));
      title = null;
    }
  }
  if (!isTold && !hasNone) return null;
  return { passed, failed, failing: numbered(failing), hasNone: hasNone && !isTold };
};
