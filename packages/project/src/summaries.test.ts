import { afterAll, beforeAll, expect, test } from "bun:test";
import { lstat, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SodaProject } from "@ralpher/contract";
import { openStage, type Stage } from "./stage.fixture.ts";

let stage: Stage;
let project: SodaProject;
beforeAll(async () => {
  stage = await openStage();
  project = (await stage.projects.bootstrap(await stage.folder())).project;
});
afterAll(() => stage[Symbol.asyncDispose]());

test("[L-END-1] a summary is written under its name, and replaces no other", async () => {
  const folder = join(project.home, "summaries");
  const paths = [];
  for (const text of ["one", "two", "three\n"]) paths.push(await stage.projects.writeSummary(project, "done.md", text));
  expect(paths).toEqual(["done.md", "done-2.md", "done-3.md"].map((name) => join(folder, name)));
  const texts = await Promise.all(paths.map((path) => readFile(path, "utf8")));
  expect(texts).toEqual(["one\n", "two\n", "three\n"]);
});

test("a summary's name leads nowhere else", async () => {
  const folder = join(project.home, "summaries");
  const written = (name: string) => stage.projects.writeSummary(project, name, "x");
  expect(await written("../../etc/passwd")).toBe(join(folder, "etc-passwd.md"));
  expect(await written("Größe: 5 / 7")).toBe(join(folder, "Größe-5-7.md"));
  expect(await written("..")).toBe(join(folder, "summary.md"));
});

test("a run's captures show up in the project's outputs, again and again", async () => {
  await mkdir(join(stage.outputs, "run-1"), { recursive: true });
  await writeFile(join(stage.outputs, "run-1", "a.jsonl"), "{}");
  await stage.projects.linkOutputs(project, "run-1");
  await stage.projects.linkOutputs(project, "run-1");
  expect(await readFile(join(project.home, "outputs", "run-1", "a.jsonl"), "utf8")).toBe("{}");
});

test("links to captures that were deleted go when another run is linked; those of other data folders stay", async () => {
  const folder = join(project.home, "outputs");
  await stage.projects.linkOutputs(project, "run-8");
  await stage.projects.linkOutputs(project, "run-9");
  await rm(join(stage.outputs, "run-8"), { recursive: true });
  await symlink(join(stage.root, "other-data", "run-7"), join(folder, "run-7"));
  await stage.projects.linkOutputs(project, "run-10");
  const left = (await readdir(folder)).filter((name) => ["run-7", "run-8", "run-9", "run-10"].includes(name));
  expect(left.sort()).toEqual(["run-10", "run-7", "run-9"]);
});

test("a link that leads nowhere any more is replaced, and what is no link stays", async () => {
  const link = join(project.home, "outputs", "run-2");
  await mkdir(join(project.home, "outputs"), { recursive: true });
  await symlink(join(stage.root, "moved-away"), link);
  await stage.projects.linkOutputs(project, "run-2");
  expect(await readlink(link)).toBe(join(stage.outputs, "run-2"));
  await rm(link);
  await mkdir(link);
  await stage.projects.linkOutputs(project, "run-2");
  expect((await lstat(link)).isDirectory()).toBe(true);
});
