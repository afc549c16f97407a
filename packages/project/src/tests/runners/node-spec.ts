import { numbered, type Reader } from "../told.ts";

/** `node --test` as people see it. Names: `file > test`; of a file that cannot be loaded, its path. */
export const readNodeSpec: Reader = (lines) => {
  const failing: string[] = [];
  let passed = 0;
  let failed = 0;
  let isTold = false;
  let isInFailures = false;
  let file: string | null = null;
  for (const line of lines) {
    const [, kind, number] = /^ℹ (pass|fail|cancelled) (\d+)$/.exec(line) ?? [];
    const place = /^test at (.+):\d+:\d+$/.exec(line)?.[1];
    const name = /^✖ (.+) \([\d.]+ms\)( # .+)?$/.exec(line);
    if (/^ℹ tests \d+$/.test(line)) {
      isTold = true;
      isInFailures = false;
    } else if (kind === "pass") passed += Number(number);
    else if (kind !== undefined) failed += Number(number);
    else if (line === "✖ failing tests:") isInFailures = true;
    else if (isInFailures && place !== undefined) file = place;
    else if (isInFailures && file !== null && name !== null) {
      // One that is yet to be done may fail.
      if (name[2] === undefined) failing.push(name[1]?.endsWith(`/${file}`) ? file : `${file} > ${name[1]}`);
      file = null;
    }
  }
  return isTold ? { passed, failed, failing: numbered(failing), hasNone: false } : null;
};
