import { expect, test } from "bun:test";
import { askFor, readStructured } from "./structured.ts";

const fenced = (text: string, language = "json") => `\`\`\`${language}\n${text}\n\`\`\``;

test("the last block of JSON counts", () => {
  const text = `First:\n${fenced('{"a":1}')}\nNo, this:\n${fenced('{"a":2}')}\nDone.`;
  expect(readStructured(text)).toEqual({ a: 2 });
});

test("what is fenced but no JSON is passed over", () => {
  expect(readStructured(`${fenced('{"a":1}')}\n${fenced("const a = 2;", "ts")}`)).toEqual({ a: 1 });
});

test("a fence inside the JSON ends nothing", () => {
  const value = { code: "```ts\nlet a;\n```", list: [1, { b: null }] };
  expect(readStructured(fenced(JSON.stringify(value)))).toEqual(value);
  expect(readStructured(fenced(JSON.stringify(value, null, 2), ""))).toEqual(value);
});

test("a text may be the JSON itself", () => {
  expect(readStructured(' {"a": [1]}\n')).toEqual({ a: [1] });
});

test.each(["", "It is fine.", "42", "null", fenced("{not json"), fenced('"text"'), '```json\n{"a":1}'])(
  "a text without an object has none: %j",
  (text) => {
    expect(readStructured(text)).toBeUndefined();
  },
);

test("the prompt carries the schema, and its own block is not mistaken for an answer by who quotes it", () => {
  const asked = askFor({ type: "object", properties: { a: { type: "number" } } });
  expect(asked).toContain('{"type":"object","properties":{"a":{"type":"number"}}}');
  expect(readStructured(`${asked}\n${fenced('{"a":1}')}`)).toEqual({ a: 1 });
});
