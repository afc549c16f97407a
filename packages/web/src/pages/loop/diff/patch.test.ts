import { expect, test } from "bun:test";
import { changedStretch, pairLines, parsePatch } from "./patch.ts";

const patch = `diff --git a/a.ts b/a.ts
index 1..2 100644
--- a/a.ts
+++ b/a.ts
@@ -1,4 +1,4 @@ function one() {
 same
-old
+new
+more
 tail
@@ -20,2 +20 @@
--- gone
 end
\\ No newline at end of file
`;

test("[R-WEB-3] a patch is read into hunks, each line with its number on either side", () => {
  const [first, second] = parsePatch(patch);
  expect(first?.title).toBe("function one() {");
  expect(first?.lines).toEqual([
    { kind: "same", old: 1, new: 1, text: "same" },
    { kind: "del", old: 2, new: null, text: "old" },
    { kind: "add", old: null, new: 2, text: "new" },
    { kind: "add", old: null, new: 3, text: "more" },
    { kind: "same", old: 3, new: 4, text: "tail" },
  ]);
  expect(second?.lines.map(({ kind, text }) => `${kind}:${text}`)).toEqual([
    "del:-- gone",
    "same:end",
    "note:No newline at end of file",
  ]);
});

test("[R-WEB-3] side by side, removed lines stand beside the ones that took their place", () => {
  const pairs = pairLines(parsePatch(patch)[0]?.lines ?? []);
  expect(pairs.map(({ left, right }) => [left?.text ?? null, right?.text ?? null])).toEqual([
    ["same", "same"],
    ["old", "new"],
    [null, "more"],
    ["tail", "tail"],
  ]);
});

test("an agent's own patch, without line numbers, is read too", () => {
  const hunks = parsePatch("*** Begin Patch\n*** Update File: a.ts\n@@ one\n-old\n+new\n*** End Patch\n");
  expect(hunks.flatMap(({ lines }) => lines.map(({ kind, text }) => `${kind}:${text}`))).toEqual([
    "del:old",
    "add:new",
  ]);
});

test("within a changed line only what differs is marked, and nothing where most of it does", () => {
  expect(changedStretch("const length = 96;", "const length = 97;")).toEqual({ start: 16, end: 17 });
  expect(changedStretch("call(a)", "call(a, b)")).toEqual({ start: 6, end: 6 });
  expect(changedStretch("abc", "xyz")).toBeNull();
});
