import { expect, test } from "bun:test";
import { boundOutput, outputLimit } from "./tool-output.ts";

test("an output up to the limit is kept whole", () => {
  const output = "x".repeat(outputLimit);
  expect(boundOutput(output)).toEqual({ output, outputBytes: outputLimit });
});

test("a larger one keeps its beginning and its end, and tells its true size", () => {
  const bound = boundOutput(`begin${"x".repeat(100_000)}end`);
  expect(bound.outputBytes).toBe(100_008);
  expect(Buffer.byteLength(bound.output)).toBeLessThanOrEqual(outputLimit);
  expect(bound.output).toStartWith("begin");
  expect(bound.output).toEndWith("end");
});

test("no character is cut in two", () => {
  for (const pad of ["", "x", "xx", "xxx"]) {
    const bound = boundOutput(pad + "🙂".repeat(20_000));
    expect(bound.output).not.toContain("\uFFFD");
    expect(Buffer.byteLength(bound.output)).toBeLessThanOrEqual(outputLimit);
  }
});
