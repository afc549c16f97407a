import { expect, test } from "bun:test";
import type { SearchHit } from "@ralpher/contract";
import { stored, story, toolCall } from "../../../../test/events.ts";
import { appendToLog, emptyLog, indexAtSeq } from "../../../feed/log.ts";
import { findAll } from "./find-text.ts";
import { foldsFor } from "./folds-for.ts";
import { addHits, beginSearch, describeSearch, step } from "./search-state.ts";
import { compare, editsOf, plainInput } from "./tool-edits.ts";

const hit = (seq: number): SearchHit => ({
  seq,
  iteration: 1,
  type: "loop.message",
  excerpt: "x",
  start: 0,
  length: 1,
});

test("[R-WEB-3] a search goes from the newest hit to older ones, and asks for more past the last it has", () => {
  const first = addHits(beginSearch("x"), { hits: [hit(9), hit(7)], next: 5 });
  expect(describeSearch(first)).toBe("1 of 2+");
  const second = step(first, 1).search;
  expect(second.hits[second.at]?.seq).toBe(7);
  expect(step(second, 1)).toEqual({ search: second, more: true });
  const all = step(addHits(second, { hits: [hit(3)], next: null }), 1).search;
  expect(describeSearch(all)).toBe("3 of 3");
});

test("[R-WEB-3] with all hits known, a search goes round, both ways", () => {
  const all = addHits(beginSearch("x"), { hits: [hit(9), hit(7), hit(3)], next: null });
  expect(step(all, -1).search.at).toBe(2);
  expect(step({ ...all, at: 2 }, 1).search.at).toBe(0);
});

test("a search that found nothing says so, and one that has not looked everywhere goes on", () => {
  const none = addHits(beginSearch("x"), { hits: [], next: null });
  expect(describeSearch(none)).toBe("Not found");
  expect(step(none, 1).more).toBe(false);
  expect(step(addHits(beginSearch("x"), { hits: [], next: 4 }), 1).more).toBe(true);
});

test("text is found without regard to case, also where small letters are longer than large ones", () => {
  expect(findAll("Parser parses PARSER", "parser")).toEqual([0, 14]);
  expect(findAll("aaa", "aa")).toEqual([0]);
  expect(findAll("İstanbul straße", "STRASSE")).toEqual([]);
  expect(findAll("İx Lexer", "lexer")).toEqual([3]);
  expect(findAll("anything", "")).toEqual([]);
});

test("[R-WEB-3] a link to a line leads to the entry that shows it, also amid reads that are one line", () => {
  const log = appendToLog(emptyLog, story());
  expect(log.entries[indexAtSeq(log, 9)]).toMatchObject({ kind: "reads", seq: 8 });
  expect(log.entries[indexAtSeq(log, 13)]).toMatchObject({ kind: "commit" });
  expect(log.entries[indexAtSeq(log, 14)]).toMatchObject({ kind: "commit" });
  expect(indexAtSeq(appendToLog(emptyLog, story().slice(8)), 3)).toBe(-1);
});

test("what was searched for is folded out where it stands", () => {
  const log = appendToLog(emptyLog, [
    ...story().slice(0, 7),
    stored(20, { type: "loop.tool_call", iteration: 1, tool: toolCall("a", "read", { path: "a.ts" }) }),
    stored(21, { type: "loop.tool_call", iteration: 1, tool: toolCall("b", "read", { path: "wanted.ts" }) }),
  ]);
  const reads = log.entries.at(-1);
  if (reads === undefined) throw new Error("there are reads");
  expect(foldsFor(reads, "WANTED")).toEqual([reads.key, `${reads.key}/b`]);
});

test("[R-WEB-3] an edit is shown as what it changed, in the words of each agent", () => {
  for (const input of [
    { file_path: "a", old_string: "one\ntwo\n", new_string: "one\n2\n" },
    { filePath: "a", oldString: "one\ntwo\n", newString: "one\n2\n" },
    { edits: [{ old_string: "one\ntwo\n", new_string: "one\n2\n" }] },
  ]) {
    expect(editsOf(input).map(({ lines }) => lines.map(({ kind, text }) => `${kind}:${text}`))).toEqual([
      ["same:one", "del:two", "add:2"],
    ]);
  }
  expect(editsOf({ command: "ls" })).toEqual([]);
  expect(editsOf({ patchText: "*** Begin Patch\n@@\n-a\n+b\n" })[0]?.lines).toHaveLength(2);
  expect(plainInput({ file_path: "a", old_string: "x", new_string: "y" }, true)).toBe("file_path: a");
});

test("a comparison keeps count of both sides", () => {
  expect(compare("a\nb\n", "a\nc\nb\n")).toEqual([
    { kind: "same", old: 1, new: 1, text: "a" },
    { kind: "add", old: null, new: 2, text: "c" },
    { kind: "same", old: 2, new: 3, text: "b" },
  ]);
});
