import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { isFault } from "@ralpher/contract";
import fc from "fast-check";
import { splitCommand } from "./split-command.ts";

test("words are split at blanks, with quotes and backslashes as shells have them", () => {
  const lines: [string, string[]][] = [
    ["bun test", ["bun", "test"]],
    ["  make\t check \n", ["make", "check"]],
    [`sh -c 'echo "a; b" | cat $X'`, ["sh", "-c", 'echo "a; b" | cat $X']],
    [`x "two words" a"b"'c' ''`, ["x", "two words", "abc", ""]],
    [`x "say \\"hi\\" \\n" a\\ b \\'`, ["x", 'say "hi" \\n', "a b", "'"]],
    ["pytest -k 'not slow' tests/*.py", ["pytest", "-k", "not slow", "tests/*.py"]],
    ["x 5$ ~/a=b #c", ["x", "5$", "~/a=b", "#c"]],
  ];
  for (const [line, words] of lines) expect<string[]>(splitCommand(line)).toEqual(words);
});

test("what needs a shell is refused, with the way out", () => {
  const signs: [string, string][] = [
    ["a && b", '"&&"'],
    ["a || b", '"||"'],
    ["a | b", '"|"'],
    ["a; b", '";"'],
    ["a > b", '">"'],
    ["a < b", '"<"'],
    ["a & b", '"&"'],
    ["a $(b)", '"$("'],
    ["a $" + "{b}", '"$' + '{"'],
    ["a $HOME", '"$H"'],
    ["a `b`", '"`"'],
    ['a "$(b)"', '"$("'],
    ['a "`b`"', '"`"'],
    ["(a)", '"("'],
    ["a\nb", "a line break"],
    ["X=1 a", '"X=1"'],
    ["a 'b", "never closed"],
    ["''", "names no program"],
    ["  ", "names no program"],
  ];
  for (const [line, sign] of signs) {
    const error = caught(() => splitCommand(line));
    expect([line, isFault(error, "test_command_unusable") && error.data.detail.includes(sign)]).toEqual([line, true]);
  }
  expect(String(caught(() => splitCommand("a && b")))).toContain("Makefile");
});

test("a line that is not refused has the words that a shell would make of it", () => {
  // What shells do besides splitting words: patterns, the home folder, comments, variables, and history.
  const char = fc.constantFrom("a", "b", " ", "\t", "'", '"', "\\", "-", "=", ".", ",");
  fc.assert(
    fc.property(fc.string({ unit: char, maxLength: 12 }), (rest) => {
      const line = `x ${rest}`;
      const words = caught(() => splitCommand(line));
      fc.pre(Array.isArray(words) && !/\\$/.test(line));
      const told = execFileSync("sh", ["-c", `set -- ${line}\nfor word do printf '[%s]' "$word"; done`]).toString();
      expect(told).toBe((words as string[]).map((word) => `[${word}]`).join(""));
    }),
    { numRuns: 200 },
  );
});

function caught<T>(work: () => T): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
