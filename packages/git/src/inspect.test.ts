import { expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFixture } from "./fixture.ts";

test("[R-GIT-7] a repository is told with its branch, head and changed files", async () => {
  using fixture = createFixture({
    name: "répo with space",
    files: { ".gitignore": "*.log\n", "a.txt": "a", "b.txt": "b" },
  });
  const clean = await fixture.workspaces.inspect(fixture.repository);
  const head = fixture.git(["rev-parse", "HEAD"]);
  expect(clean).toEqual({ kind: "repository", root: fixture.repository, branch: "main", head, changedFiles: [] });

  fixture.write("a.txt", "changed");
  fixture.write("b.txt", "staged");
  fixture.git(["add", "b.txt"]);
  fixture.write("new/ü\n.txt", "untracked");
  fixture.write("x.log", "ignored");
  const dirty = await fixture.workspaces.inspect(join(fixture.repository, "new"));
  if (dirty.kind !== "repository") throw new Error(dirty.kind);
  expect(dirty.root).toBe(fixture.repository);
  expect(dirty.changedFiles.sort()).toEqual(["a.txt", "b.txt", "new/ü\n.txt"]);
});

test("[R-GIT-7] folders that cannot be worked in are told apart", async () => {
  using fixture = createFixture();
  const kind = async (folder: string) => (await fixture.workspaces.inspect(folder)).kind;
  const inside = (name: string) => {
    mkdirSync(join(fixture.folder, name));
    return join(fixture.folder, name);
  };
  expect(await kind(join(fixture.folder, "none"))).toBe("missing");
  writeFileSync(join(fixture.folder, "file"), "");
  expect(await kind(join(fixture.folder, "file"))).toBe("missing");
  expect(await kind(inside("plain"))).toBe("not_a_repository");
  expect(await kind(join(fixture.repository, ".git"))).toBe("not_a_repository");

  const bare = inside("bare");
  fixture.git(["init", "--quiet", "--bare"], bare);
  expect(await kind(bare)).toBe("bare");
  const empty = inside("empty");
  fixture.git(["init", "--quiet"], empty);
  expect(await kind(empty)).toBe("no_commits");
  fixture.git(["checkout", "--quiet", "--detach"]);
  expect(await kind(fixture.repository)).toBe("detached");
});

test("[R-GIT-7] a repository that belongs to somebody else is refused with git's own advice", async () => {
  using fixture = createFixture();
  const workspaces = fixture.again({ env: { ...fixture.env, GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" } });
  await expect(workspaces.inspect(fixture.repository)).rejects.toMatchObject({
    code: "git_failed",
    message: expect.stringContaining("safe.directory"),
  });
});

test("a missing git is a clear fault", async () => {
  using fixture = createFixture();
  const workspaces = fixture.again({ git: join(fixture.folder, "no-git") });
  await expect(workspaces.inspect(fixture.repository)).rejects.toMatchObject({ code: "git_missing" });
});

test("variables of a hook Ralpher is started from do not lead to another repository", async () => {
  using fixture = createFixture();
  using other = createFixture();
  const env = { ...fixture.env, GIT_DIR: join(other.repository, ".git"), GIT_INDEX_FILE: "/nowhere" };
  const report = await fixture.again({ env }).inspect(fixture.repository);
  expect(report).toMatchObject({ root: fixture.repository, changedFiles: [] });
});

test("packed branches, symlinked folders and linked worktrees are read as git reads them", async () => {
  using fixture = createFixture();
  fixture.git(["pack-refs", "--all"]);
  const head = fixture.git(["rev-parse", "HEAD"]);
  symlinkSync(fixture.repository, join(fixture.folder, "link"));
  expect(await fixture.workspaces.inspect(join(fixture.folder, "link"))).toMatchObject({ branch: "main", head });
  const linked = join(fixture.folder, "linked");
  fixture.git(["worktree", "add", "--quiet", "-b", "side/x", linked]);
  expect(await fixture.workspaces.inspect(linked)).toMatchObject({ root: linked, branch: "side/x", head });
  rmSync(linked, { recursive: true });
});
