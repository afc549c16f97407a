import { numberBefore, type Reader } from "../told.ts";

/** `cargo test`. Names: `crate > module::test`; those of the documentation: `crate (docs) > file - (line n)`. */
export const readCargo: Reader = (lines) => {
  const failing = new Set<string>();
  let passed = 0;
  let failed = 0;
  let isTold = false;
  let target = "";
  let names: string[] | null = null;
  for (const line of lines) {
    const running = /^ +Running (?:unittests )?.+ \((?:.*[/\\])?(.+)-[0-9a-f]{16}(?:\.exe)?\)$/.exec(line)?.[1];
    const documented = /^ +Doc-tests (.+)$/.exec(line)?.[1];
    const name = /^ {4}(\S.*)$/.exec(line)?.[1];
    if (running !== undefined) target = `${running} > `;
    else if (documented !== undefined) target = `${documented} (docs) > `;
    else if (line === "failures:") names = [];
    else if (/^test result: (ok|FAILED)\. \d+ passed;/.test(line)) {
      isTold = true;
      passed += numberBefore(/passed/, line);
      failed += numberBefore(/failed/, line);
      for (const one of names ?? []) failing.add(target + one);
      names = null;
    } else if (names !== null && name !== undefined) names.push(name);
    // The first list of failures has what they printed, the second their names.
    else if (line !== "") names = names === null ? null : [];
  }
  return isTold ? { passed, failed, failing: [...failing], hasNone: false } : null;
};
