import type { Reader } from "../told.ts";

/** `go test`, plain and with -v. Names: `package > Test/part`; a package that cannot be built by its own. */
export const readGo: Reader = (lines) => {
  const failing: string[] = [];
  let passed = 0;
  let isTold = false;
  let isVerbose = false;
  let hasNone = false;
  let names: string[] = [];
  for (const line of lines) {
    const [, outcome, name] = /^ *--- (PASS|FAIL): (\S+) \([\d.]+s\)$/.exec(line) ?? [];
    const [, verdict, place] = /^(ok {2}|FAIL|\? {3})\t(\S+)(?:\s|$)/.exec(line) ?? [];
    if (/^=== RUN {3}/.test(line)) isVerbose = true;
    if (outcome === "PASS") passed++;
    else if (name !== undefined) names.push(name);
    else if (verdict !== undefined && place !== undefined) {
      isTold = true;
      // What has failing parts fails with them. A panic or a build that fails leaves no names.
      const parts = names.filter((one) => !names.some((other) => other.startsWith(`${one}/`)));
      if (verdict === "FAIL") failing.push(...(parts.length > 0 ? parts.map((one) => `${place} > ${one}`) : [place]));
      names = [];
    } else if (line === "no packages to test") hasNone = true;
  }
  if (!isTold && !hasNone) return null;
  const all = [...new Set(failing)];
  return {
    // Without -v only packages are told.
    passed: isVerbose || !isTold ? passed : null,
    failed: all.length,
    failing: all,
    hasNone: hasNone && !isTold,
  };
};
