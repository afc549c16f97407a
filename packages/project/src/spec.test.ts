import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readSpec, specStamp } from "./spec.ts";
import { titleOf } from "./spec-title.ts";
import { faultOf, openStage, type Stage } from "./stage.fixture.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

async function file(content: string | Uint8Array): Promise<string> {
  const path = join(await stage.folder(), "Sodafile");
  await writeFile(path, content);
  return path;
}

test("[L-MILE-1] the spec is read with its title and the sum of its text", async () => {
  const text = "Some words first.\n\n# Add numbers ##\n\n- 1 + 1 is 2\n";
  const path = await file(text);
  const sha = createHash("sha256").update(text).digest("hex");
  expect(await readSpec(path)).toEqual({ path, text, sha, title: "Add numbers" });
});

test("the title is the first heading with words, else the first line with words", () => {
  const titles: [string, string | null][] = [
    ["# One\n## Two", "One"],
    ["## Only *this* #", "Only *this*"],
    ["# C#", "C#"],
    ["#\n\n###   ###\n# Real", "Real"],
    ["```\n# no heading\n```\n# Real", "Real"],
    ["#hashtag\nrest", "#hashtag"],
    ["---\n\n  Plain words \r\nmore", "Plain words"],
    ["Überschrift\n===", "Überschrift"],
    ["", null],
    [" \n\t\n---\n", null],
    [`# ${"ä".repeat(121)}`, `${"ä".repeat(119)}…`],
  ];
  expect(titles.map(([text]) => [text, titleOf(text)])).toEqual(titles);
});

test("a spec that cannot be used says why", async () => {
  const detailOf = async (path: string) => (await faultOf("spec_unusable", readSpec(path))).detail;
  expect(await detailOf(join(stage.root, "gone"))).toBe("there is no such file");
  expect(await detailOf(stage.root)).toBe("it is a folder");
  expect(await detailOf("/dev/null")).toBe("it is no plain file");
  expect(await detailOf(await file(""))).toBe("it is empty");
  expect(await detailOf(await file(" \n\n"))).toBe("it is empty");
  expect(await detailOf(await file("# x\n".repeat(300_000)))).toBe("it is larger than 1 MB");
  expect(await detailOf(await file("# x\0y"))).toBe("it is no text in UTF-8");
  expect(await detailOf(await file(new Uint8Array([0x23, 0x20, 0xff, 0xfe])))).toBe("it is no text in UTF-8");
});

test("a byte order mark is no part of the text", async () => {
  expect((await readSpec(await file("\uFEFF# Title"))).text).toBe("# Title");
});

test("[L-HUM-3, S-HUM-3] the stamp changes when the file is written or replaced, and only then", async () => {
  const path = await file("# One");
  const stamps = [await specStamp(path)];
  expect(await specStamp(path)).toBe(stamps[0] ?? "");
  await writeFile(path, "# Three");
  stamps.push(await specStamp(path));
  await rename(await file("# Seven"), path);
  stamps.push(await specStamp(path));
  expect(new Set(stamps).size).toBe(3);
  expect(await specStamp(join(stage.root, "gone"))).toBeNull();
});
