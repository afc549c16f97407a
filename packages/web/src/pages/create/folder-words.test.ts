import { expect, test } from "bun:test";
import type { DirectoryReport } from "@ralpher/contract";
import { folderWords } from "./folder-words.ts";

const clean: DirectoryReport = { kind: "repository", root: "/r", branch: "main", head: "a", changedFiles: [] };
const kinds = ["missing", "not_a_repository", "bare", "no_commits", "detached"] as const;

test("[R-WEB-2] a clean repository is good, a dirty one says that it will ask", () => {
  expect(folderWords(clean, "/r", true)).toEqual({
    meaning: "good",
    text: "A repository, on main. Nothing uncommitted.",
  });
  const dirty = folderWords({ ...clean, changedFiles: ["a"] }, "/r/sub", true);
  expect(dirty.meaning).toBe("needs-you");
  expect(dirty.text).toContain("whose top is /r, with 1 uncommitted file.");
});

test("[R-WEB-2, R-GIT-7] every folder that does not serve says why and what to do", () => {
  const texts = kinds.map((kind) => folderWords({ kind }, "/r", true));
  expect(texts.map(({ meaning }) => meaning)).toEqual(kinds.map(() => "bad"));
  expect(new Set(texts.map(({ text }) => text)).size).toBe(kinds.length);
});

test("[R-GIT-3] without git only a missing folder is wrong", () => {
  expect(kinds.filter((kind) => folderWords({ kind }, "/r", false).meaning === "bad")).toEqual(["missing"]);
});

test("a path with a quote in it stays one word of the command", () => {
  expect(folderWords({ kind: "no_commits" }, "/it's here", true).command).toContain(`'/it'\\''s here'`);
});

test("[L-BOOT-2] a loop that makes its own repository needs none", () => {
  const makes = kinds.filter((kind) => folderWords({ kind }, "/r", true, true).meaning === "good");
  expect(makes.toSorted()).toEqual(["no_commits", "not_a_repository"]);
});
