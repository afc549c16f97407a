import { expect, test } from "bun:test";
import type { FileDiff } from "@ralpher/contract";
import { cutSpans } from "./diff-line-view.tsx";
import { type FileState, rowsOf } from "./diff-rows.ts";
import { foldReason, inTreeOrder, isGenerated, treeLines, treeOf } from "./files.ts";
import { type Painted, splitLines } from "./highlighter.ts";
import { languageOf } from "./languages.ts";

function file(path: string, more: Partial<FileDiff> = {}): FileDiff {
  return {
    path,
    status: "modified",
    additions: 1,
    deletions: 1,
    binary: false,
    blob: "b1",
    patch: "@@ -1 +1 @@\n-a\n+b\n",
    ...more,
  };
}
const open = (of: FileDiff): FileState => ({ file: of, folded: false, reason: null, load: null });
const kinds = (state: FileState, split = false) => rowsOf(state, split).map(({ kind }) => kind);

test("[R-WEB-3] changed files make a tree: folders first, a lone folder on its parent's line, files counted", () => {
  const tree = treeOf(["src/deep/only/a.ts", "src/deep/only/b.ts", "README.md"].map((path) => file(path)));
  expect(treeLines(tree, new Set()).map(({ node, depth }) => `${depth} ${node.name}`)).toEqual([
    "0 src/deep/only",
    "1 a.ts",
    "1 b.ts",
    "0 README.md",
  ]);
  expect(tree[0]).toMatchObject({ kind: "folder", files: 2 });
  expect(inTreeOrder(tree).map(({ path }) => path)).toEqual(["src/deep/only/a.ts", "src/deep/only/b.ts", "README.md"]);
});

test("what is in a folded folder does not show", () => {
  const tree = treeOf([file("a/b.ts"), file("c.ts")]);
  expect(treeLines(tree, new Set(["a"])).map(({ node }) => node.name)).toEqual(["a", "c.ts"]);
});

test("[R-WEB-3] large and generated files are folded at first, with the reason", () => {
  expect(foldReason(file("src/a.ts"))).toBeNull();
  expect(foldReason(file("src/a.ts", { additions: 401 }))).toContain("Large");
  expect(foldReason(file("package-lock.json"))).toContain("Generated");
  expect(isGenerated("web/dist/app.js")).toBe(true);
  expect(isGenerated("src/distance.ts")).toBe(false);
});

test("[R-WEB-3] a file is its name, its hunks and its lines; folded, its name and why", () => {
  expect(kinds(open(file("a.ts")))).toEqual(["file", "line", "line", "end"]);
  expect(kinds(open(file("a.ts")), true)).toEqual(["file", "pair", "end"]);
  expect(kinds({ ...open(file("a.ts")), folded: true, reason: "Large" })).toEqual(["file", "note", "end"]);
  const { patch: _, ...bare } = file("a.ts");
  expect(rowsOf(open(bare), false)[1]).toMatchObject({ kind: "note", offer: "load" });
  expect(rowsOf(open(file("a.png", { binary: true })), false)[1]).toMatchObject({ kind: "note", offer: null });
});

test("rows stay the same objects until something about their file changes", () => {
  const state = open(file("a.ts"));
  expect(rowsOf(state, false)).toBe(rowsOf({ ...state }, false));
  expect(rowsOf({ ...state, folded: true }, false)).not.toBe(rowsOf(state, false));
});

test("colour that spans lines is kept on each of them", () => {
  const comment: Painted = {
    type: "element",
    tagName: "span",
    properties: { className: ["hljs-comment"] },
    children: [{ type: "text", value: "/* one\ntwo */" }],
  };
  expect(splitLines([{ type: "text", value: "a " }, comment])).toEqual([
    [
      { text: "a ", look: null },
      { text: "/* one", look: "code-quiet" },
    ],
    [{ text: "two */", look: "code-quiet" }],
  ]);
});

test("coloured pieces are cut where the changed stretch begins and ends", () => {
  const spans = [
    { text: "const ", look: "code-word" },
    { text: "a = 96", look: null },
  ];
  expect(cutSpans(spans, { start: 10, end: 12 })).toEqual([
    { text: "const ", look: "code-word", marked: false },
    { text: "a = ", look: null, marked: false },
    { text: "96", look: null, marked: true },
  ]);
});

test("a file's language is told by its name", () => {
  expect(languageOf("src/a.test.ts")).toBe("typescript");
  expect(languageOf("docker/Dockerfile.dev")).toBe("dockerfile");
  expect(languageOf("LICENSE")).toBeNull();
});
