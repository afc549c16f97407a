import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { faultOf, git, openStage, type Stage } from "./stage.fixture.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

test("[L-BOOT-1] a fresh folder gets an id and a folder below SODA's home, once", async () => {
  const directory = await stage.folder();
  expect(await stage.projects.find(directory)).toBeNull();
  const { project, made } = await stage.projects.bootstrap(directory);
  expect(made).toBe(true);
  expect(project.id).toMatch(uuid);
  expect(project.home).toBe(join(stage.home, "projects", project.id));
  expect((await stat(project.home)).isDirectory()).toBe(true);
  expect(await readFile(join(directory, ".soda-id"), "utf8")).toBe(`${project.id}\n`);
  expect(await readdir(directory)).toEqual([".soda-id"]);

  expect(await stage.projects.bootstrap(directory)).toEqual({ project, made: false });
  expect(await stage.projects.find(directory)).toEqual(project);
});

test("[L-BOOT-1] many at once end with one id", async () => {
  const directory = await stage.folder();
  const all = await Promise.all(Array.from({ length: 20 }, () => stage.projects.bootstrap(directory)));
  expect(new Set(all.map(({ project }) => project.id)).size).toBe(1);
  expect(all.filter(({ made }) => made)).toHaveLength(1);
  expect(await readdir(directory)).toEqual([".soda-id"]);
});

test("an id that is none is a fault that says which file it is in, and nothing is changed", async () => {
  const text = { ".soda-id": "not an id\n" };
  const directory = await stage.folder(text);
  const path = join(directory, ".soda-id");
  expect(await faultOf("soda_home_unusable", stage.projects.bootstrap(directory))).toMatchObject({ path });
  expect(await faultOf("soda_home_unusable", stage.projects.find(directory))).toMatchObject({ path });
  expect(await readFile(path, "utf8")).toBe(text[".soda-id"]);
  const other = await stage.folder();
  await mkdir(join(other, ".soda-id"));
  await faultOf("soda_home_unusable", stage.projects.find(other));
});

test("a folder that is not there is a fault", async () => {
  const directory = join(stage.root, "gone");
  expect(await faultOf("directory_missing", stage.projects.bootstrap(directory))).toEqual({ directory });
});

test("git does not see the id: at the top, below it, in a worktree and in a submodule", async () => {
  const top = await stage.folder({ "a.txt": "a" });
  git(top, "init");
  git(top, "add", ".");
  git(top, "commit", "-m", "first");
  const below = join(top, "sub [x]*", "deep");
  await mkdir(below, { recursive: true });
  const worktree = join(stage.root, "worktree");
  git(top, "worktree", "add", "-b", "other", worktree);
  const inner = await stage.folder({ "b.txt": "b" });
  git(inner, "init");
  git(inner, "add", ".");
  git(inner, "commit", "-m", "first");
  git(top, "-c", "protocol.file.allow=always", "submodule", "add", inner, "module");
  git(top, "commit", "-m", "module");
  for (const directory of [top, below, worktree, join(top, "module")]) await stage.projects.bootstrap(directory);
  // What a process that was killed while it made the id leaves, or another one is just writing.
  for (const directory of [top, below, worktree]) await writeFile(join(directory, ".soda-id.aside"), "");
  for (const directory of [top, worktree]) expect(git(directory, "status", "--porcelain")).toBe("");
});

test("what is excluded already stays, and is not excluded twice", async () => {
  const top = await stage.folder();
  git(top, "init");
  const path = join(top, ".git", "info", "exclude");
  await writeFile(path, "*.tmp");
  await stage.projects.bootstrap(top);
  await stage.projects.bootstrap(top);
  expect(await readFile(path, "utf8")).toBe("*.tmp\n/.soda-id*\n");
});

test("an id that was made elsewhere is kept out of git here, too", async () => {
  const top = await stage.folder({ ".soda-id": `${crypto.randomUUID()}\n` });
  git(top, "init");
  expect((await stage.projects.bootstrap(top)).made).toBe(false);
  expect(git(top, "status", "--porcelain")).toBe("");
});

test.skipIf(process.getuid?.() === 0)("a folder that cannot be written to is a fault that names it", async () => {
  const directory = await stage.folder();
  await chmod(directory, 0o500);
  const path = join(directory, ".soda-id");
  expect(await faultOf("soda_home_unusable", stage.projects.bootstrap(directory))).toMatchObject({ path });
});

test("a home that is no folder is a fault that names it", async () => {
  const directory = await stage.folder();
  const other = await openStage();
  await writeFile(other.home, "a file");
  const { path } = await faultOf("soda_home_unusable", other.projects.bootstrap(directory));
  expect(path).toStartWith(join(other.home, "projects"));
  await other[Symbol.asyncDispose]();
});
