import { numbered, type Reader } from "../told.ts";

interface Result {
  depth: number;
  isOk: boolean;
  name: string;
  /** To be done, or left out: it may fail. */
  isExcused: boolean;
}

/** The Test Anything Protocol, as `node --test`, tape, bats and others speak it. Names: `suite > test`, innermost ones only. */
export const readTap: Reader = (lines) => {
  /** The failing ones at each depth that are not yet part of one further out. */
  const open: string[][] = [[]];
  const at = (depth: number) => (open[depth] ??= []);
  let isTold = false;
  let isDetail = false;
  const results = { passed: 0, failed: 0 };
  const summary: { passed: number | null; failed: number | null } = { passed: null, failed: null };
  for (const line of lines) {
    if (/^ *---$/.test(line)) isDetail = true;
    if (/^ *\.\.\.$/.test(line)) isDetail = false;
    if (isDetail) continue;
    const [, kind, number] = /^# (pass|fail|cancelled) +(\d+)$/.exec(line) ?? [];
    if (kind === "pass") summary.passed = (summary.passed ?? 0) + Number(number);
    else if (kind !== undefined) summary.failed = (summary.failed ?? 0) + Number(number);
    else if (/^TAP version 1[34]$|^1\.\.\d+/.test(line)) isTold = true;
    const result = resultOf(line);
    if (result === null) continue;
    const { depth, name, isOk, isExcused } = result;
    const within = at(depth + 1).splice(0);
    if (!isOk && !isExcused) at(depth).push(...(within.length > 0 ? within.map((one) => `${name} > ${one}`) : [name]));
    if (depth === 0 && !isExcused) results[isOk ? "passed" : "failed"]++;
  }
  if (!isTold) return null;
  return {
    passed: summary.passed ?? results.passed,
    failed: summary.failed ?? results.failed,
    failing: numbered(at(0)),
    hasNone: false,
  };
};

function resultOf(line: string): Result | null {
  const [, indent, not, rest] = /^((?: {4})*)(not )?ok\b(?: \d+)?(?: -)? ?(.*)$/.exec(line) ?? [];
  if (indent === undefined || rest === undefined) return null;
  const [, name = "", directive] = /^(.*?)(?:(?<!\\) # ?(skip|todo)\b.*)?$/i.exec(rest) ?? [];
  return {
    depth: indent.length / 4,
    isOk: not === undefined,
    name: name.replace(/\\([\\#])/g, "$1").trim(),
    isExcused: directive !== undefined,
  };
}
