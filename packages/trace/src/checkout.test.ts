import { expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { findCheckout } from "./checkout.ts";
import { readRemote, sanitizeName } from "./project-name.ts";
import { createStage } from "./stage.fixture.ts";

test("[W-2] a project is its remote as host/owner/repository, else its folder", () => {
  using stage = createStage();
  mkdirSync(join(stage.app, "deep/er"), { recursive: true });
  expect(findCheckout(join(stage.app, "deep/er"))).toEqual({
    project: { id: stage.app, name: "app", path: stage.app },
    root: stage.app,
  });
  stage.git(["remote", "add", "origin", "git@github.com:acme/My_Tool.git"]);
  expect(findCheckout(stage.app)?.project).toEqual({
    id: "github.com/acme/My_Tool",
    name: "my-tool",
    path: stage.app,
  });
  expect(findCheckout(stage.folder)).toBeNull();
});

test("[W-2] remotes are read as the original reads them", () => {
  const of = (url: string) => readRemote(`[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n`);
  expect(of("https://github.com/user/repo.git")).toEqual({ id: "github.com/user/repo", name: "repo" });
  expect(of("https://gitlab.com/group/sub/project/")).toEqual({ id: "gitlab.com/group/sub/project", name: "project" });
  expect(of("git@github.com:user/repo.git")).toEqual({ id: "github.com/user/repo", name: "repo" });
  expect(of("ssh://git@host/user/repo.git")).toEqual({ id: null, name: "repo" });
  expect(of("../mirror.git")).toEqual({ id: null, name: null });
  expect(readRemote("[core]\n")).toEqual({ id: null, name: null });
});

test("[W-2] names are lower case, digits and single hyphens", () => {
  expect(["My Project", "my_project", "Special!@#Chars", "--a__b--"].map(sanitizeName)).toEqual([
    "my-project",
    "my-project",
    "special-chars",
    "a-b",
  ]);
});

test("[W-2] items follow a project that gets a remote, and one whose folder is moved", async () => {
  using stage = createStage();
  await stage.items().init();
  const item = await stage.items().create({ title: "Stays", description: "" });
  stage.git(["remote", "add", "origin", "https://github.com/acme/app.git"]);
  expect(await stage.items().list()).toMatchObject([{ id: item.id, projectId: "github.com/acme/app" }]);
  stage.git(["remote", "remove", "origin"]);
  expect(await stage.items().list()).toMatchObject([{ id: item.id, projectId: stage.app }]);

  mkdirSync(join(stage.folder, "below"));
  const moved = join(stage.folder, "below/app");
  renameSync(stage.app, moved);
  expect(await stage.items(moved).list()).toMatchObject([{ id: item.id, projectId: moved }]);
  await stage.items(moved).comment(item.id, { content: "here now" });
  expect(stage.jsonl(moved)).toContain("here now");
});

test("[W-2] a second clone has a file of its own, and both see all items", async () => {
  using stage = createStage();
  stage.git(["remote", "add", "origin", "https://github.com/acme/app.git"]);
  await stage.items().init();
  const first = await stage.items().create({ title: "First", description: "" });
  const clone = join(stage.folder, "clone");
  cpSync(stage.app, clone, { recursive: true });
  const second = await stage.items(clone).create({ title: "Second", description: "" });
  expect(stage.jsonl()).not.toContain(second.id);
  expect(stage.jsonl(clone)).toContain(first.id);
  await stage.items().comment(second.id, { content: "seen" });
  expect(stage.jsonl()).toContain(second.id);
});

test("[W-5] a worktree is of its repository's project, also below a bare repository", () => {
  using stage = createStage();
  stage.git(["commit", "-q", "--allow-empty", "-m", "first"]);
  stage.git(["worktree", "add", "-q", "../tree"]);
  const tree = join(stage.folder, "tree");
  expect(findCheckout(tree)).toEqual({ project: { id: stage.app, name: "app", path: stage.app }, root: tree });

  stage.git(["clone", "-q", "--bare", stage.app, join(stage.folder, "store.git")]);
  stage.git(["remote", "remove", "origin"], join(stage.folder, "store.git"));
  stage.git(["worktree", "add", "-q", "../from-bare", "main"], join(stage.folder, "store.git"));
  const bare = join(stage.folder, "store.git");
  expect(findCheckout(join(stage.folder, "from-bare"))?.project).toEqual({ id: bare, name: "store-git", path: bare });
  expect(existsSync(join(bare, ".git"))).toBe(false);
});
