import { expect, test } from "bun:test";
import { splitProse, splitSpans } from "./prose.ts";

test("paragraphs and fenced code are told apart, and the lines stay as they are", () => {
  expect(splitProse("One\ntwo\n\nThree:\n```ts\nconst a = 1;\n\nb();\n```\nDone")).toEqual([
    { kind: "text", text: "One\ntwo" },
    { kind: "text", text: "Three:" },
    { kind: "code", text: "const a = 1;\n\nb();", language: "ts" },
    { kind: "text", text: "Done" },
  ]);
});

test("a fence that is still open runs to the end, as while the text streams in", () => {
  expect(splitProse("Look:\n```\nhalf")).toEqual([
    { kind: "text", text: "Look:" },
    { kind: "code", text: "half", language: "" },
  ]);
});

test("a longer fence may hold a shorter one", () => {
  expect(splitProse("````md\n```\nx\n```\n````")).toEqual([{ kind: "code", text: "```\nx\n```", language: "md" }]);
});

test("inline code, bold and headings are spans; HTML is only text", () => {
  expect(splitSpans("# Plan\nuse `a*b` and **take care** of <b>this</b>, 2 ** 3")).toEqual([
    { kind: "strong", text: "Plan" },
    { kind: "text", text: "\nuse " },
    { kind: "code", text: "a*b" },
    { kind: "text", text: " and " },
    { kind: "strong", text: "take care" },
    { kind: "text", text: " of <b>this</b>, 2 ** 3" },
  ]);
});
