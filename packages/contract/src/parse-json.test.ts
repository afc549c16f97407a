import { expect, test } from "bun:test";
import { isFault } from "./fault.ts";
import { parseJson } from "./parse-json.ts";

function wrongIn(text: string): string {
  try {
    parseJson(text, "file");
  } catch (error) {
    if (isFault(error, "invalid_input")) return error.message;
    throw error;
  }
  throw new Error("it was read");
}

test("what is not JSON is told with its place, in words", () => {
  const words: Record<string, string> = {
    "": "it is empty",
    "# Title\n": 'line 1, column 1: there is "#" where a value should be',
    '{"a": 1,\n "b":\n}': 'line 3, column 1: there is "}" where a value should be',
    '{"a": 1\n"b": 2}': 'line 2, column 1: there is "\\"" where a "," or the end of a list or object should be',
    '{"a": [1, 2,, 3]}': 'line 1, column 13: there is "," where a value should be',
    "{a: 1}": 'line 1, column 2: there is "a" where a name in quotes should be',
    '{"a" 1}': 'line 1, column 6: there is "1" where a ":" should be',
    '["a\nb"]': "line 1, column 2: a text in quotes has no end, or something in it that may not be there",
    '["\\x"]': "line 1, column 2: a text in quotes has no end, or something in it that may not be there",
    '{"a": [1, {"b": 2}\n': "line 2: it ends too early, as if it was cut off",
    '{"a": 01}': 'line 1, column 7: there is "01" where a value should be',
    '{} {"a": 1}': 'line 1, column 4: there is "{" where nothing more should be',
    "[1}": 'line 1, column 3: there is "}" where a "," or the end of a list or object should be',
  };
  for (const [text, message] of Object.entries(words)) {
    expect(wrongIn(text)).toBe(`The file cannot be used: it is not JSON: ${message}.`);
  }
});

test("what is JSON is read, and cut anywhere it ends too early or in the middle of something", () => {
  const json = JSON.stringify({ a: [1, -2.5e3, 'x\u007f\\ü"', [], {}], b: { c: null, d: true, "": "\t" } }, null, 1);
  expect(parseJson(json, "file")).toEqual(JSON.parse(json));
  for (let length = 0; length < json.length; length++) {
    expect(wrongIn(json.slice(0, length))).toMatch(/ends too early|it is empty|has no end|there is "[\w.+-]+"/);
  }
});
