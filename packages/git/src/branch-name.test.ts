import { expect, test } from "bun:test";
import { freeBranchName, toBranchName } from "./branch-name.ts";

const accepted = (name: string) =>
  Bun.spawnSync(["git", "check-ref-format", "--branch", name], { stderr: "ignore", stdout: "ignore" }).exitCode === 0;

test("[R-GIT-1] every wanted name becomes one that git accepts", () => {
  const wanted = [
    ...["ralph/work", "", "/", "@", "HEAD", "-", "--help", "..", "a..b", "a.lock", "a.lock.lock", ".hidden/.b", "a//b"],
    ...["a b", "a~b^c:d?e*f[g]h\\i", "a@{b", "tab\tnew\nline\0nul\u007f", "ends.", "ends/", "-x/-y", "grüße/日本語 ☃"],
    ...["x".repeat(600), "ü".repeat(300), `${"x".repeat(199)}.lock`, `${"a/".repeat(50)}b`],
  ];
  expect(wanted.filter((name) => !accepted(toBranchName(name)))).toEqual([]);
  expect(toBranchName("ralph/fix the Grüße")).toBe("ralph/fix-the-Grüße");
});

test("[R-GIT-1] a taken name gets the first free number, and folders of names are respected", () => {
  expect(freeBranchName("a/b", new Set())).toBe("a/b");
  expect(freeBranchName("a/b", new Set(["a/b", "a/b-2", "a/b-4"]))).toBe("a/b-3");
  expect(freeBranchName("a", new Set(["a/b"]))).toBe("a-2");
  expect(freeBranchName("a/b/c", new Set(["a"]))).toBe("a-b-c");
  expect(freeBranchName("a/b", new Set(["a", "a-b"]))).toBe("a-b-2");
});
