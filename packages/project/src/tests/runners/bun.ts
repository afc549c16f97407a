import { numbered, type Reader } from "../told.ts";

/** `bun test`. Names: `file > suite > test`; a file that cannot be loaded by its own. */
export const readBun: Reader = (lines) => {
  const failing: string[] = [];
  let file = "";
  let passed = 0;
  let failed = 0;
  let isTold = false;
  let hasNone = false;
  let isRepeated = false;
  for (const line of lines) {
    const header = /^(?:::group::)?(\S.*\.[cm]?[jt]sx?):$/.exec(line)?.[1];
    const name = /^(?:\(fail\)|✗) (.+?)(?: \[[\d.]+\w+\])?$/.exec(line)?.[1];
    if (header !== undefined) file = header;
    // After many tests those that failed are listed once more, without their files.
    else if (/^\d+ tests? (failed|skipped|todo):$/.test(line)) isRepeated = true;
    else if (name !== undefined && !isRepeated) failing.push(file === "" ? name : `${file} > ${name}`);
    else if (line === "# Unhandled error between tests") failing.push(file === "" ? "(outside of all files)" : file);
    else if (/^ *\d+ pass$/.test(line)) passed += Number.parseInt(line, 10);
    else if (/^ *\d+ fail$/.test(line)) failed += Number.parseInt(line, 10);
    else if (/^Ran \d+ tests? across \d+ files?\./.test(line)) {
      isTold = true;
      isRepeated = false;
      file = "";
    } else if (/^No tests found!/.test(line)) hasNone = true;
  }
  if (!isTold && !hasNone) return null;
  return { passed, failed, failing: numbered(failing), hasNone: hasNone && !isTold };
};
