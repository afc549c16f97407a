import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createFixture, type Fixture } from "./fixture.ts";

const text = (path: string, cwd: string) => readFileSync(join(cwd, path), "utf8");
const squash = { squash: true };
const count = (fixture: Fixture) => Number(fixture.git(["rev-list", "--count", "main"]));

async function worked(fixture: Fixture, isolation: "worktree" | "checkout" = "worktree") {
  const workspace = await fixture.workspaces.open(fixture.request({ isolation }));
  let since = workspace.baseSha;
  for (const path of ["a.txt", "c.txt"]) {
    fixture.write(path, "the loop's\n", workspace.directory);
    since = (await fixture.workspaces.save({ workspace, since, message: path })).head;
  }
  return workspace;
}

test("[R-GIT-5] squashed, the work is one commit with one parent that names what it was made of", async () => {
  using fixture = createFixture();
  const workspace = await worked(fixture);
  const main = fixture.git(["rev-parse", "main"]);
  const merge = await fixture.workspaces.accept(workspace, "All of it\n\n* a\n* c\n", squash);
  expect(merge).toEqual({ kind: "merged", sha: fixture.git(["rev-parse", "main"]) });
  expect(fixture.git(["log", "-1", "--format=%P", "main"])).toBe(main);
  const tip = fixture.git(["rev-parse", "ralph/work"]);
  expect(fixture.git(["log", "-1", "--format=%B", "main"])).toBe(`All of it\n\n* a\n* c\n\nSquashed-from: ${tip}`);
  expect(text("c.txt", fixture.repository)).toBe("the loop's\n");
  expect(fixture.git(["status", "--porcelain"])).toBe("");
});

test("[R-GIT-5] asked twice, also by a new process or without squash, it is one commit", async () => {
  using fixture = createFixture();
  const workspace = await worked(fixture);
  const merge = await fixture.workspaces.accept(workspace, "All of it", squash);
  fixture.write("later.txt", "later\n");
  fixture.git(["add", "-A"]);
  fixture.git(["commit", "--quiet", "-m", "later"]);
  const before = count(fixture);
  expect(await fixture.workspaces.accept(workspace, "All of it", squash)).toEqual(merge);
  expect(await fixture.again().accept(workspace, "Merge")).toEqual(merge);
  await fixture.workspaces.close(workspace);
  expect(await fixture.again().accept(workspace, "All of it", squash)).toEqual(merge);
  expect(count(fixture)).toBe(before);
});

test("[R-GIT-5] a branch that was merged before is not squashed on top of it", async () => {
  using fixture = createFixture();
  const workspace = await worked(fixture);
  const merge = await fixture.workspaces.accept(workspace, "Merge");
  expect(await fixture.workspaces.accept(workspace, "All of it", squash)).toEqual(merge);
});

test("[R-GIT-5] what came after a squash comes with the next one", async () => {
  using fixture = createFixture();
  const workspace = await worked(fixture);
  await fixture.workspaces.accept(workspace, "First", squash);
  const since = fixture.git(["rev-parse", "ralph/work"]);
  fixture.write("d.txt", "more\n", workspace.directory);
  await fixture.workspaces.save({ workspace, since, message: "more" });
  await fixture.workspaces.accept(workspace, "Second", squash);
  expect(fixture.git(["diff", "--name-only", "main~1", "main"])).toBe("d.txt");
});

test("[R-GIT-5] squashed, a conflict or uncommitted changes in the way change nothing", async () => {
  using fixture = createFixture();
  const workspace = await worked(fixture);
  fixture.write("a.txt", "not committed\n");
  const before = fixture.git(["for-each-ref"]);
  await expect(fixture.workspaces.accept(workspace, "m", squash)).rejects.toMatchObject({
    code: "target_not_clean",
    data: { files: ["a.txt"] },
  });
  expect(fixture.git(["for-each-ref"])).toBe(before);
  fixture.git(["commit", "--quiet", "-am", "the user's"]);
  expect(await fixture.workspaces.accept(workspace, "m", squash)).toEqual({ kind: "conflict", files: ["a.txt"] });
  expect(text("a.txt", fixture.repository)).toBe("not committed\n");
});

test("[R-GIT-5] squashed, unrelated uncommitted changes stay as they are, staged ones staged", async () => {
  using fixture = createFixture({ files: { "a.txt": "a\n", "b.txt": "b\n", "d.txt": "d\n" } });
  const workspace = await worked(fixture);
  fixture.write("b.txt", "staged\n");
  fixture.git(["add", "b.txt"]);
  fixture.write("d.txt", "unstaged\n");
  expect(await fixture.workspaces.accept(workspace, "m", squash)).toMatchObject({ kind: "merged" });
  expect(fixture.git(["status", "--porcelain"])).toBe("M  b.txt\n M d.txt");
});

test("[R-GIT-5] squashed in place, the user gets the original branch back with the commit", async () => {
  using fixture = createFixture();
  const workspace = await worked(fixture, "checkout");
  fixture.write("b.txt", "not committed\n");
  const merge = await fixture.workspaces.accept(workspace, "m", squash);
  expect(fixture.git(["symbolic-ref", "HEAD"])).toBe("refs/heads/main");
  expect(merge).toEqual({ kind: "merged", sha: fixture.git(["rev-parse", "main"]) });
  expect(fixture.git(["rev-list", "--count", "--merges", "main"])).toBe("0");
  expect(fixture.git(["status", "--porcelain"])).toBe("M b.txt");
});
