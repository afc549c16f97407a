import { expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFixture } from "./fixture.ts";

test("the same key finds the same worktree and branch, also from another process", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.write("a.txt", "the agent's\n", workspace.directory);
  // The user works on meanwhile.
  fixture.git(["checkout", "--quiet", "-b", "elsewhere"]);
  fixture.write("b.txt", "the user's\n");
  expect(await fixture.again().open(fixture.request())).toEqual(workspace);
  expect(readFileSync(join(workspace.directory, "a.txt"), "utf8")).toBe("the agent's\n");
  fixture.git(["checkout", "--quiet", "--detach"]);
  expect(await fixture.again().open(fixture.request())).toEqual(workspace);
});

test("a process killed before the branch was made leaves nothing that disturbs", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.git(["worktree", "remove", "--force", workspace.directory]);
  fixture.git(["update-ref", "-d", "refs/ralpher/base/loop-1"]);
  fixture.git(["branch", "--quiet", "-D", "ralph/work"]);
  // Another loop takes the name that was only written down.
  const other = await fixture.workspaces.open(fixture.request({ key: "loop-2" }));
  expect(other.workingBranch).toBe("ralph/work");
  expect((await fixture.workspaces.open(fixture.request())).workingBranch).toBe("ralph/work-2");
});

test("a process killed before the tree was made is continued", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.git(["worktree", "remove", "--force", workspace.directory]);
  expect(await fixture.again().open(fixture.request())).toEqual(workspace);
  expect(existsSync(join(workspace.directory, "a.txt"))).toBe(true);
});

test("a half-made worktree of a killed git is made anew", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  const gitDir = fixture.git(["rev-parse", "--absolute-git-dir"], workspace.directory);
  writeFileSync(join(gitDir, "locked"), "initializing\n");
  rmSync(join(gitDir, "index"));
  rmSync(join(workspace.directory, "b.txt"));
  expect(await fixture.again().open(fixture.request())).toEqual(workspace);
  expect(fixture.git(["status", "--porcelain"], workspace.directory)).toBe("");
  expect(readFileSync(join(workspace.directory, "b.txt"), "utf8")).toBe("b\n");
});

test("a git killed in the middle of adding the worktree is tried again", async () => {
  using fixture = createFixture();
  // Ends git with a signal it cannot clean up after, at the moment it writes the file; filters are off the second time.
  fixture.git(["config", "filter.deadly.smudge", "kill -9 $PPID"]);
  fixture.write(".git/info/attributes", "b.txt filter=deadly\n");
  const workspace = await fixture.workspaces.open(fixture.request());
  expect(workspace.workingBranch).toBe("ralph/work");
  expect(fixture.git(["status", "--porcelain"], workspace.directory)).toBe("");
});

test("a worktree folder removed by hand is made again on the branch with its commits", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.write("a.txt", "saved\n", workspace.directory);
  await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" });
  rmSync(workspace.directory, { recursive: true });
  expect(await fixture.workspaces.open(fixture.request())).toEqual(workspace);
  expect(readFileSync(join(workspace.directory, "a.txt"), "utf8")).toBe("saved\n");
});

test("files in a worktree git has forgotten are not lost", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.write("a.txt", "never saved\n", workspace.directory);
  rmSync(join(fixture.repository, ".git/worktrees"), { recursive: true });
  expect(await fixture.workspaces.open(fixture.request())).toEqual(workspace);
  expect(fixture.git(["status", "--porcelain"], workspace.directory)).toBe("M a.txt");
});

test("a closed worktree opens again with its branch", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.write("a.txt", "saved\n", workspace.directory);
  await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" });
  await fixture.workspaces.close(workspace);
  expect(existsSync(workspace.directory)).toBe(false);
  expect(await fixture.workspaces.open(fixture.request())).toEqual(workspace);
  expect(readFileSync(join(workspace.directory, "a.txt"), "utf8")).toBe("saved\n");
});

test("a branch that was deleted, or that the user has checked out, is a clear fault", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  await fixture.workspaces.close(workspace);
  fixture.git(["checkout", "--quiet", "ralph/work"]);
  await expect(fixture.workspaces.open(fixture.request())).rejects.toMatchObject({
    code: "branch_checked_out",
    data: { branch: "ralph/work", directory: fixture.repository },
  });
  fixture.git(["checkout", "--quiet", "main"]);
  fixture.git(["branch", "--quiet", "-D", "ralph/work"]);
  await expect(fixture.workspaces.open(fixture.request())).rejects.toMatchObject({ code: "branch_missing" });
});

test("in place, a process killed before the branch was checked out is continued", async () => {
  using fixture = createFixture();
  const request = fixture.request({ isolation: "checkout" });
  const workspace = await fixture.workspaces.open(request);
  fixture.git(["symbolic-ref", "HEAD", "refs/heads/main"]);
  expect(await fixture.again().open(request)).toEqual(workspace);
  expect(fixture.git(["symbolic-ref", "HEAD"])).toBe("refs/heads/ralph/work");
});

test("[R-GIT-4] in place, a checkout that left the loop's branch is the user's: its changes are asked about once more", async () => {
  using fixture = createFixture();
  const inPlace = (handleUncommitted: "commit" | "stash" | "ignore" | null) =>
    fixture.request({ isolation: "checkout", handleUncommitted });
  const workspace = await fixture.workspaces.open(inPlace(null));
  fixture.write("c.txt", "the loop's\n");
  await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "work" });
  // What lies on the loop's own branch is the loop's.
  fixture.write("c.txt", "unfinished\n");
  expect(await fixture.again().open(inPlace(null))).toEqual(workspace);
  fixture.git(["checkout", "--quiet", "--", "c.txt"]);

  fixture.git(["checkout", "--quiet", "main"]);
  fixture.write("a.txt", "the user's\n");
  await expect(fixture.again().open(inPlace(null))).rejects.toMatchObject({
    code: "uncommitted_changes",
    data: { changedFiles: ["a.txt"] },
  });
  expect(fixture.git(["symbolic-ref", "--short", "HEAD"])).toBe("main");

  expect(await fixture.again().open(inPlace("stash"))).toEqual(workspace);
  expect(fixture.git(["symbolic-ref", "--short", "HEAD"])).toBe("ralph/work");
  expect(fixture.git(["status", "--porcelain"])).toBe("");
  await fixture.workspaces.discard(workspace);
  expect(await fixture.again().restoreStash(workspace)).toBe("restored");
  expect(fixture.git(["status", "--porcelain"])).toBe("M a.txt");
  expect(readFileSync(join(fixture.repository, "a.txt"), "utf8")).toBe("the user's\n");
  expect(await fixture.again().restoreStash(workspace)).toBe("nothing");
});

test("[R-GIT-4] in place, a second stash is refused while the first is kept, and nothing is lost", async () => {
  using fixture = createFixture();
  const request = fixture.request({ isolation: "checkout", handleUncommitted: "stash" });
  fixture.write("a.txt", "first\n");
  const workspace = await fixture.workspaces.open(request);
  fixture.git(["checkout", "--quiet", "main"]);
  fixture.write("b.txt", "second\n");
  await expect(fixture.again().open(request)).rejects.toMatchObject({ code: "git_failed" });
  expect(readFileSync(join(fixture.repository, "b.txt"), "utf8")).toBe("second\n");
  await fixture.again().open({ ...request, handleUncommitted: "commit" });
  expect(fixture.git(["log", "-1", "--format=%s", "main"])).toBe("[Pre-Ralph] Uncommitted changes");
  await fixture.workspaces.discard(workspace);
  expect(await fixture.again().restoreStash(workspace)).toBe("restored");
  expect(readFileSync(join(fixture.repository, "a.txt"), "utf8")).toBe("first\n");
});
