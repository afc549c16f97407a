import { numberBefore, type Reader } from "../told.ts";

const counts = /^(?:=+ )?((?:\d+ [a-z]+(?:, )?)+|no tests ran) in [\d.:]+s\b/;

/** pytest. Names: its node ids; of a file that cannot be loaded, its path. */
export const readPytest: Reader = (lines) => {
  const failing: string[] = [];
  let passed = 0;
  let failed = 0;
  let isTold = false;
  let hasNone = true;
  let isInSummary = false;
  for (const line of lines) {
    const told = counts.exec(line)?.[1];
    // The message behind a name may go on over several lines.
    const name = isInSummary ? /^(?:FAILED|ERROR) (.+?)(?: - .*)?$/.exec(line)?.[1] : undefined;
    if (/^=+ short test summary info =+$/.test(line)) isInSummary = true;
    else if (name !== undefined) failing.push(name);
    else if (told !== undefined) {
      isTold = true;
      isInSummary = false;
      hasNone &&= told === "no tests ran";
      passed += numberBefore(/passed/, told);
      failed += numberBefore(/failed/, told) + numberBefore(/errors?/, told);
    }
  }
  return isTold ? { passed, failed, failing: [...new Set(failing)], hasNone } : null;
};
