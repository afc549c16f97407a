import { expect, test } from "bun:test";
import { mergeItems } from "./merge-items.ts";

const at = (second: number, micros = "000000") => `2026-11-21T21:55:${String(second).padStart(2, "0")}.${micros}Z`;
const said = (content: string, second: number) =>
  `{"content": "${content}", "source": "user", "created_at": "${at(second)}"}`;

function line(id: string, title: string, second: number, comments: string[] = []): string {
  const times = `"created_at": "${at(0)}", "updated_at": "${at(second)}", "closed_at": null`;
  return `{"id": "${id}", "title": "${title}", ${times}, "dependencies": [], "comments": [${comments.join(", ")}]}\n`;
}

test("work items of both sides are there, sorted by id, and of one that both have the later", () => {
  const ours = line("app-a", "older", 1) + line("app-c", "newer", 3);
  const theirs = line("app-a", "newer", 2) + line("app-b", "only theirs", 1) + line("app-c", "older", 2);
  const both = line("app-a", "newer", 2) + line("app-b", "only theirs", 1) + line("app-c", "newer", 3);
  expect(mergeItems(ours, theirs)).toBe(both);
  expect(mergeItems(theirs, ours)).toBe(both);
  expect(mergeItems(both, "")).toBe(both);
});

test("comments of both sides are there once, by time, in the words and the form of Trace", () => {
  const ours = line("app-a", "older", 1, [said("one", 1), said("three \\u00fc", 3)]);
  const theirs = line("app-a", "caf\\u00e9", 4, [said("one", 1), said("two", 2), said("four", 4)]);
  const both = [said("one", 1), said("two", 2), said("three \\u00fc", 3), said("four", 4)];
  expect(mergeItems(ours, theirs)).toBe(line("app-a", "caf\\u00e9", 4, both));
  expect(mergeItems(theirs, ours)).toBe(line("app-a", "caf\\u00e9", 4, both));
});

test("times are compared to the microsecond", () => {
  const of = (title: string, micros: string) =>
    line("app-a", title, 1).replace(`"updated_at": "${at(1)}"`, `"updated_at": "${at(1, micros)}"`);
  expect(mergeItems(of("later", "000002"), of("earlier", "000001"))).toBe(of("later", "000002"));
  expect(mergeItems(of("earlier", "000001"), of("later", "000002"))).toBe(of("later", "000002"));
});

test("where a line is no item, a human must look", () => {
  const good = line("app-a", "good", 1);
  for (const bad of ["<<<<<<< HEAD\n", "{}\n", "null\n", '{"id": "app-b"}\n', good, '{"id": "\ufffd"}\n']) {
    expect(mergeItems(good + bad, good)).toBeNull();
    expect(mergeItems(good, good + bad)).toBeNull();
  }
});
