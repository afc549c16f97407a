import { expect, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { GitWorkspace, Saved } from "@ralpher/contract";
import { createFixture, type Fixture } from "./fixture.ts";

const made = (saved: Saved) => {
  if (saved.kind !== "made") throw new Error(`expected commits, got ${saved.kind}`);
  return saved;
};
const files = (fixture: Fixture, commit: string) =>
  fixture.git(["ls-tree", "-r", "--name-only", commit]).split("\n").filter(Boolean);

/** A repository in a subfolder, as an app generator or a clone makes it. */
function embed(fixture: Fixture, workspace: GitWorkspace, path: string, commit: boolean): string {
  const folder = join(workspace.directory, path);
  mkdirSync(folder, { recursive: true });
  fixture.git(["init", "--quiet"], folder);
  fixture.write("inner.txt", "inner\n", folder);
  fixture.write(".gitignore", "ignored\n", folder);
  fixture.write("ignored", "ignored\n", folder);
  if (!commit) return folder;
  fixture.git(["add", "-A"], folder);
  fixture.git(["commit", "--quiet", "-m", "inner"], folder);
  return folder;
}

for (const commit of [true, false]) {
  test(`a repository inside the tree ${commit ? "with" : "without"} commits is stored as ordinary files`, async () => {
    using fixture = createFixture();
    const workspace = await fixture.workspaces.open(fixture.request());
    const folder = embed(fixture, workspace, "app", commit);
    fixture.write("a.txt", "changed\n", workspace.directory);
    const first = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "one" }));
    expect(files(fixture, first.head)).toEqual(["a.txt", "app/.gitignore", "app/inner.txt", "b.txt"]);
    expect(first.commits[0]?.filesChanged).toBe(3);
    expect(first.warnings).toHaveLength(1);
    expect(first.warnings[0]).toContain("app");
    expect(existsSync(join(folder, ".git"))).toBe(true);

    // From then on it is a folder like any other.
    fixture.write("more.txt", "more\n", folder);
    const second = made(await fixture.workspaces.save({ workspace, since: first.head, message: "two" }));
    expect(files(fixture, second.head)).toContain("app/more.txt");
    expect(second.warnings).toEqual([]);
  });
}

test("a repository the agent itself committed as a bare link is stored as files", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  embed(fixture, workspace, "apps/web", true);
  fixture.git(["add", "-A"], workspace.directory);
  fixture.git(["commit", "--quiet", "-m", "scaffold"], workspace.directory);
  const saved = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "ours" }));
  expect(saved.commits.map((commit) => commit.message)).toEqual(["scaffold", "ours"]);
  expect(files(fixture, saved.head)).toContain("apps/web/inner.txt");
});

test("a repository inside a repository inside the tree is stored as files", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  embed(fixture, workspace, "outer", false);
  embed(fixture, workspace, "outer/deep", true);
  const saved = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" }));
  expect(files(fixture, saved.head)).toContain("outer/inner.txt");
  expect(files(fixture, saved.head)).toContain("outer/deep/inner.txt");
});

test("a worktree of the same repository and an empty repository are left out", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.git(["worktree", "add", "--quiet", "-b", "side", "trees/side"], workspace.directory);
  mkdirSync(join(workspace.directory, "empty"));
  fixture.git(["init", "--quiet"], join(workspace.directory, "empty"));
  fixture.write("a.txt", "changed\n", workspace.directory);
  const saved = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" }));
  expect(files(fixture, saved.head)).toEqual(["a.txt", "b.txt"]);
  expect(saved.commits[0]?.filesChanged).toBe(1);
  expect(saved.warnings).toHaveLength(2);
});

test("a submodule stays a submodule, and its new commit is recorded", async () => {
  using fixture = createFixture();
  const library = join(fixture.folder, "library");
  mkdirSync(library);
  fixture.git(["init", "--quiet"], library);
  fixture.git(["commit", "--quiet", "--allow-empty", "-m", "library"], library);
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.git(["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "lib"], workspace.directory);
  const first = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "one" }));
  expect(files(fixture, first.head)).toEqual([".gitmodules", "a.txt", "b.txt", "lib"]);
  expect(first.warnings).toEqual([]);

  const inside = join(workspace.directory, "lib");
  fixture.git(["commit", "--quiet", "--allow-empty", "-m", "more"], inside);
  const second = made(await fixture.workspaces.save({ workspace, since: first.head, message: "two" }));
  expect(fixture.git(["rev-parse", `${second.head}:lib`])).toBe(fixture.git(["rev-parse", "HEAD"], inside));
  await fixture.workspaces.discard(workspace);
  expect(existsSync(workspace.directory)).toBe(false);
});
