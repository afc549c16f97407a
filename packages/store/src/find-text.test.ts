import { expect, test } from "bun:test";
import { createNeedle, excerptOf, findText } from "./find-text.ts";

const found = (text: string, wanted: string) => {
  const at = findText(text, createNeedle(wanted));
  return at === null ? null : text.slice(at.start, at.start + at.length);
};

test("text is found without regard to case, in its own letters", () => {
  expect(found("Hello WORLD", "world")).toBe("WORLD");
  expect(found("ΑΒΓ", "βγ")).toBe("ΒΓ");
  expect(found("nothing", "world")).toBeNull();
});

test("letters whose small form is longer do not shift what is found", () => {
  expect(found("İİİ İstanbul and more", "and")).toBe("and");
  expect(found("İİİ 😀 and", "😀")).toBe("😀");
});

test("what means something in patterns means itself", () => {
  expect(found("a.b [c] \\d", "[c] \\d")).toBe("[c] \\d");
  expect(found("aXb", "a.b")).toBeNull();
});

test("an excerpt is one line, cut between characters, and says where the hit is", () => {
  const text = `${"😀".repeat(80)}a\n\tneedle\r\n${"😀".repeat(200)}`;
  const hit = findText(text, createNeedle("NEEDLE"));
  if (hit === null) throw new Error("it is there");
  const { excerpt, start, length } = excerptOf(text, hit);
  expect(excerpt.slice(start, start + length)).toBe("needle");
  expect(excerpt).not.toMatch(/[\n\r\t]/);
  expect(excerpt.isWellFormed()).toBe(true);
  expect(excerpt.startsWith("…")).toBe(true);
  expect(excerpt.endsWith("…")).toBe(true);
});
