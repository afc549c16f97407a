import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readOutput } from "./read-output.ts";
import type { Told } from "./told.ts";

/** What runners really printed; see recorded/README.md. */
const recorded = (name: string) => readFile(join(import.meta.dir, "recorded", `${name}.txt`), "utf8");
const directory = "/home/me/project";

const outputs: Record<string, Told> = {
  bun: {
    passed: 2,
    failed: 5,
    failing: [
      "broken.test.js",
      "calc.test.js > the sum (of two) > of small ones > is right > always",
      "calc.test.js > the sum (of two) > throws",
      "other.test.js > adds",
      "other.test.js > slow",
    ],
    hasNone: false,
  },
  "bun-many": {
    passed: 114,
    failed: 6,
    failing: ["a", "b"].flatMap((file) => [20, 40, 60].map((n) => `${file}.test.js > t${n}`)),
    hasNone: false,
  },
  "bun-ok": { passed: 2, failed: 0, failing: [], hasNone: false },
  "bun-none": { passed: 0, failed: 0, failing: [], hasNone: true },
  vitest: {
    passed: 2,
    failed: 3,
    failing: [
      "broken.test.js",
      "calc.test.js > the sum (of two) > of small ones > is right > always",
      "calc.test.js > the sum (of two) > throws",
    ],
    hasNone: false,
  },
  "vitest-ok": { passed: 2, failed: 0, failing: [], hasNone: false },
  "vitest-none": { passed: 0, failed: 0, failing: [], hasNone: true },
  jest: {
    passed: 2,
    failed: 3,
    failing: [
      "calc.test.js > the sum (of two) › of small ones › is right > always",
      "calc.test.js > the sum (of two) › throws",
      "broken.test.js",
    ],
    hasNone: false,
  },
  "jest-ok": { passed: 2, failed: 0, failing: [], hasNone: false },
  "jest-none": { passed: 0, failed: 0, failing: [], hasNone: true },
  mocha: {
    passed: 2,
    failed: 3,
    failing: [
      "the sum (of two) > throws",
      "the sum (of two) > of small ones > is right: always",
      'with a hook > "before all" hook for "never"',
    ],
    hasNone: false,
  },
  "mocha-ok": { passed: 2, failed: 0, failing: [], hasNone: false },
  "mocha-none": { passed: 0, failed: 0, failing: [], hasNone: true },
  "node-spec": {
    passed: 3,
    failed: 6,
    failing: [
      "broken.test.js",
      "calc.test.js > adds # wrongly",
      "calc.test.js > is right",
      "calc.test.js > throws",
      "calc.test.js > step two",
    ],
    hasNone: false,
  },
  "node-ok-spec": { passed: 2, failed: 0, failing: [], hasNone: false },
  "node-tap": {
    passed: 3,
    failed: 6,
    failing: [
      "broken.test.js",
      "adds # wrongly",
      "the sum > is right",
      "the sum > deep > throws",
      "with steps > step two",
    ],
    hasNone: false,
  },
  "node-ok-tap": { passed: 2, failed: 0, failing: [], hasNone: false },
  "node-none-tap": { passed: 0, failed: 0, failing: [], hasNone: false },
  pytest: { passed: 0, failed: 1, failing: ["test_broken.py"], hasNone: false },
  "pytest-fail": {
    passed: 2,
    failed: 4,
    failing: [
      "test_calc.py::test_wrong",
      "test_calc.py::test_param[x y]",
      "test_calc.py::TestSum::test_throws",
      "test_calc.py::test_setup",
    ],
    hasNone: false,
  },
  "pytest-ok": { passed: 2, failed: 0, failing: [], hasNone: false },
  "pytest-none": { passed: 0, failed: 0, failing: [], hasNone: true },
  unittest: {
    passed: 1,
    failed: 5,
    failing: [
      "test_broken (unittest.loader._FailedTest.test_broken)",
      "test_throws (test_calc.TestSum.test_throws)",
      "test_sub (test_calc.TestSum.test_sub) (i=0)",
      "test_sub (test_calc.TestSum.test_sub) (i=2)",
      "test_wrong (test_calc.TestSum.test_wrong)",
    ],
    hasNone: false,
  },
  "unittest-ok": { passed: 2, failed: 0, failing: [], hasNone: false },
  "unittest-none": { passed: 0, failed: 0, failing: [], hasNone: true },
  cargo: {
    passed: 3,
    failed: 5,
    failing: [
      "calc > tests::does_not_panic",
      "calc > tests::result",
      "calc > tests::wrong",
      "outside > from_outside",
      "calc (docs) > src/lib.rs - (line 1)",
    ],
    hasNone: false,
  },
  "cargo-ok": { passed: 2, failed: 0, failing: [], hasNone: false },
  "cargo-none": { passed: 0, failed: 0, failing: [], hasNone: false },
  go: {
    passed: null,
    failed: 5,
    failing: [
      "example.com/calc > TestWrong",
      "example.com/calc > TestTable/one_of_them",
      "example.com/calc > ExampleX",
      "example.com/calc/bad",
      "example.com/calc/sub > TestPanics",
    ],
    hasNone: false,
  },
  "go-ok": { passed: null, failed: 0, failing: [], hasNone: false },
  "go-ok-v": { passed: 2, failed: 0, failing: [], hasNone: false },
  "go-none": { passed: 0, failed: 0, failing: [], hasNone: true },
};

for (const [name, told] of Object.entries(outputs)) {
  test(`[X-1] numbers and names are read from the output of ${name}`, async () => {
    expect(readOutput(await recorded(name), directory)).toEqual(told);
  });
}

test("a quiet or a wordy way of telling gives the same names", async () => {
  const failing = async (name: string) => readOutput(await recorded(name), directory)?.failing;
  expect(await failing("pytest-q")).toEqual(await failing("pytest-fail"));
  expect(await failing("unittest-v")).toEqual(await failing("unittest"));
  expect(await failing("go-v")).toEqual(await failing("go"));
});

test("several runners in one output are added up", async () => {
  const all = `${await recorded("bun")}\n${await recorded("pytest-fail")}\n${await recorded("bun-ok")}`;
  const told = readOutput(all, directory);
  expect([told?.passed, told?.failed, told?.failing.length]).toEqual([6, 9, 9]);
  expect(readOutput(`${await recorded("bun-none")}\n${await recorded("go-none")}`, directory)?.hasNone).toBe(true);
  expect(readOutput(`${await recorded("bun-none")}\n${await recorded("jest-ok")}`, directory)?.hasNone).toBe(false);
});

test("the Test Anything Protocol is read of others, too", () => {
  const bats =
    "1..4\nok 1 adds\nnot ok 2 subtracts\n# (in test file x.bats, line 3)\nok 3 later # skip\nnot ok 4 some day # TODO";
  expect(readOutput(bats, directory)).toEqual({ passed: 1, failed: 1, failing: ["subtracts"], hasNone: false });
  const tape = "TAP version 13\n# one\nok 1 is so\nnot ok 2 is not\n\n1..2\n# tests 2\n# pass  1\n# fail  1\n";
  expect(readOutput(tape, directory)).toMatchObject({ passed: 1, failed: 1, failing: ["is not"] });
});

test("colours do not matter", async () => {
  const coloured = (await recorded("mocha-ok")).replace("2 passing", "\x1b[32m2 passing\x1b[0m");
  expect(readOutput(coloured, directory)?.passed).toBe(2);
});

test("what is of no runner that is known tells nothing, and neither does a build that fails", async () => {
  for (const output of ["", "all good\n", "5 failing\n", "Tests: many\n", await recorded("cargo-broken")]) {
    expect(readOutput(output, directory)).toBeNull();
  }
});

test("two tests of one name in one file are told apart", () => {
  const output =
    "a.test.ts:\n(fail) adds [1.00ms]\n(fail) adds\n\n 0 pass\n 2 fail\nRan 2 tests across 1 file. [3.00ms]";
  expect(readOutput(output, directory)?.failing).toEqual(["a.test.ts > adds", "a.test.ts > adds (2)"]);
});
