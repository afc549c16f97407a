import { describe, expect, test } from "bun:test";
import { defaultStopPattern } from "@ralpher/contract";
import fc from "fast-check";
import { compileStopPattern } from "./stop-pattern.ts";

describe("the default pattern", () => {
  const isPromise = compileStopPattern(defaultStopPattern);

  test("[R-RUN-3] matches a promise at the end, trailing white space ignored", () => {
    expect(isPromise("All done.\n<promise>COMPLETE</promise>")).toBe(true);
    expect(isPromise("<promise>COMPLETE</promise>\n")).toBe(true);
    expect(isPromise("<promise>COMPLETE</promise> \t\r\n\n")).toBe(true);
  });

  test("[R-RUN-3] does not match a promise quoted earlier", () => {
    expect(isPromise("I will say <promise>COMPLETE</promise> when I am done.")).toBe(false);
    expect(isPromise("<promise>COMPLETE</promise>\nNot yet, though.")).toBe(false);
    expect(isPromise("")).toBe(false);
  });

  test("[R-RUN-3] text after the promise that is more than white space never completes", () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), (before, after) => {
        fc.pre(after.trim() !== "" && !after.trimEnd().endsWith("</promise>"));
        expect(isPromise(`${before}<promise>COMPLETE</promise>${after}`)).toBe(false);
      }),
    );
  });
});

describe("a user's pattern", () => {
  test("[R-RUN-3] is refused with the reason when it is not RE2", () => {
    for (const pattern of ["(", "[a", "(?=x)", "(a)\\1", "*"]) {
      expect(() => compileStopPattern(pattern)).toThrow("stopPattern");
    }
  });

  test("[R-RUN-3] that would be catastrophic elsewhere ends, on a long text", () => {
    const matches = compileStopPattern("(a+)+$");
    expect(matches(`${"a".repeat(200_000)}b`)).toBe(false);
    expect(matches("a".repeat(200_000))).toBe(true);
  });
});
