import { expect, test } from "bun:test";
import fc from "fast-check";
import { createSseParser } from "./sse.ts";

const stream = ': hb\n\nid: 12\ndata: {"a":1}\n\ndata: {"b":"ü"}\n\n: hb\n\nid: 13\r\ndata: one\r\ndata: two\r\n\r\n';
const messages = [
  { seq: 12, data: '{"a":1}' },
  { seq: null, data: '{"b":"ü"}' },
  { seq: 13, data: "one\ntwo" },
];

test("[R-WEB-3] events with and without an id are told apart, and heartbeats give nothing", () => {
  expect(createSseParser()(stream)).toEqual(messages);
});

test("[R-WEB-3] however the stream is cut into chunks, the messages are the same", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (lengths) => {
      const parse = createSseParser();
      const found = [];
      for (let at = 0, turn = 0; at < stream.length; turn += 1) {
        const length = lengths[turn % lengths.length] ?? 1;
        found.push(...parse(stream.slice(at, at + length)));
        at += length;
      }
      expect(found).toEqual(messages);
    }),
  );
});

test("half a message waits for its other half", () => {
  const parse = createSseParser();
  expect(parse("data: hel")).toEqual([]);
  expect(parse("lo\n")).toEqual([]);
  expect(parse("\n")).toEqual([{ seq: null, data: "hello" }]);
});
