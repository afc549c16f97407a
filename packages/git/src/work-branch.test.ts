import { expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { GitWorkspace } from "@ralpher/contract";
import { createFixture, type Fixture } from "./fixture.ts";

const work = "soda/iteration-1";

async function begin(fixture: Fixture) {
  const workspace = await fixture.workspaces.open(fixture.request({ base: "main", branch: "soda/tool" }));
  return { workspace, tree: workspace.directory };
}

/** A work branch with one commit. */
async function beginWork(fixture: Fixture) {
  const { workspace, tree } = await begin(fixture);
  const { branch, base } = await fixture.workspaces.branchOff(workspace, work);
  fixture.write("a.txt", "the task's\n", tree);
  const saved = await fixture.workspaces.saveOn(workspace, branch, { since: base, message: "[app-1] done" });
  return { workspace, tree, branch, base, saved };
}

const on = (fixture: Fixture, { directory }: GitWorkspace) =>
  fixture.git(["symbolic-ref", "--short", "HEAD"], directory);
const heads = (fixture: Fixture) =>
  fixture.git(["for-each-ref", "--format=%(refname:short)", "refs/heads"]).split("\n");
const marks = (fixture: Fixture) =>
  fixture
    .git(["for-each-ref", "--format=%(refname)", "refs/ralpher/work", "refs/ralpher/left"])
    .split("\n")
    .filter(Boolean);

test("[X-1] [M2-4] a work branch begins at the working branch, and the tree is switched to it; no checkout is touched", async () => {
  using fixture = createFixture();
  fixture.write("b.txt", "the user's\n");
  fixture.git(["checkout", "--quiet", "-b", "user"]);
  const { workspace, tree } = await begin(fixture);
  fixture.write("a.txt", "milestone\n", tree);
  await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" });
  const base = fixture.git(["rev-parse", "soda/tool"]);
  expect(await fixture.workspaces.branchOff(workspace, work)).toEqual({ branch: work, base });
  expect(on(fixture, workspace)).toBe(work);
  expect(readFileSync(join(tree, "a.txt"), "utf8")).toBe("milestone\n");
  expect(await fixture.again().branchOff(workspace, work)).toEqual({ branch: work, base });
  expect(heads(fixture)).toEqual(["main", work, "soda/tool", "user"]);
  expect(fixture.git(["status", "--porcelain", "--branch"])).toBe("## user\n M b.txt");
});

test("[M2-4] a taken name gets a number, also one that has work of its own", async () => {
  using fixture = createFixture();
  fixture.git(["branch", work, "main"]);
  const { workspace, branch, tree } = await beginWork(fixture);
  expect(branch).toBe(`${work}-2`);
  expect((await fixture.workspaces.branchOff(workspace, work)).branch).toBe(`${work}-3`);
  expect(readFileSync(join(tree, "a.txt"), "utf8")).toBe("a\n");
  expect(marks(fixture)).toEqual([`refs/ralpher/left/loop-1/${work}-2`, `refs/ralpher/work/loop-1/${work}-3`]);
});

test("[X-1] a branch without work of its own that fell behind is brought forward", async () => {
  using fixture = createFixture();
  const { workspace, tree } = await begin(fixture);
  await fixture.workspaces.branchOff(workspace, work);
  fixture.write("b.txt", "the human's\n");
  fixture.git(["commit", "--quiet", "-am", "on main"]);
  await fixture.workspaces.updateBranch(workspace, "merge");
  const base = fixture.git(["rev-parse", "soda/tool"]);
  expect(await fixture.again().branchOff(workspace, work)).toEqual({ branch: work, base });
  expect(readFileSync(join(tree, "b.txt"), "utf8")).toBe("the human's\n");
});

test("[X-1] a branch that the agent made under this name, and that is checked out, is the one", async () => {
  using fixture = createFixture();
  const { workspace, tree } = await begin(fixture);
  fixture.git(["checkout", "--quiet", "-b", work], tree);
  expect((await fixture.workspaces.branchOff(workspace, work)).branch).toBe(work);
  expect(marks(fixture)).toEqual([`refs/ralpher/work/loop-1/${work}`]);
});

test("[X-5] a task's changes are one commit on the work branch; the working branch stays, and nothing is left over", async () => {
  using fixture = createFixture();
  const { workspace, tree, branch, base, saved } = await beginWork(fixture);
  if (saved.kind !== "made") throw new Error(saved.kind);
  expect(saved.commits).toMatchObject([{ message: "[app-1] done", filesChanged: 1 }]);
  expect(saved.head).toBe(fixture.git(["rev-parse", branch]));
  expect(fixture.git(["rev-parse", "soda/tool"])).toBe(base);
  expect(fixture.git(["status", "--porcelain"], tree)).toBe("");
  const again = await fixture.again().saveOn(workspace, branch, { since: saved.head, message: "nothing" });
  expect(again).toEqual({ kind: "nothing", head: saved.head });
});

test("[X-5] an agent that went to other branches has its work on the work branch all the same", async () => {
  using fixture = createFixture();
  const { workspace, tree, branch, base, saved } = await beginWork(fixture);
  for (const elsewhere of ["soda/tool", "HEAD~1"]) {
    fixture.git(["checkout", "--quiet", "--detach", branch], tree);
    fixture.git(["checkout", "--quiet", elsewhere], tree);
    fixture.write("new.txt", `${elsewhere}\n`, tree);
    const later = await fixture.workspaces.saveOn(workspace, branch, { since: saved.head, message: elsewhere });
    expect(later.kind).toBe("made");
    expect(on(fixture, workspace)).toBe(branch);
    expect(fixture.git(["rev-parse", "soda/tool"])).toBe(base);
    expect(fixture.git(["show", `${branch}:a.txt`, `${branch}:new.txt`])).toBe(`the task's\n${elsewhere}`);
  }
});

test("[X-5] a hook that refuses is bypassed with a warning, and the work is in the commit", async () => {
  using fixture = createFixture();
  const { workspace, branch, tree, saved } = await beginWork(fixture);
  fixture.write(".git/hooks/pre-commit", "#!/bin/sh\necho no way >&2\nexit 1\n");
  Bun.spawnSync(["chmod", "+x", join(fixture.repository, ".git/hooks/pre-commit")]);
  fixture.write("b.txt", "more\n", tree);
  const made = await fixture.workspaces.saveOn(workspace, branch, { since: saved.head, message: "more" });
  expect(made).toMatchObject({ kind: "made", warnings: [expect.stringContaining("no way")] });
  fixture.git(["config", "commit.gpgSign", "true"]);
  fixture.git(["config", "gpg.program", "/bin/false"]);
  expect(await fixture.workspaces.mergeBack(workspace, branch, "merge")).toMatchObject({ kind: "merged" });
});

test("[X-7] the work branch is merged with a merge commit and deleted, and the tree is on the working branch", async () => {
  using fixture = createFixture();
  const { workspace, tree, branch, base, saved } = await beginWork(fixture);
  const merge = await fixture.workspaces.mergeBack(workspace, branch, "Iteration 1\n\nwhat was done");
  expect(merge).toEqual({ kind: "merged", sha: fixture.git(["rev-parse", "soda/tool"]) });
  expect(fixture.git(["log", "-1", "--format=%P|%B", "soda/tool"])).toBe(
    `${base} ${saved.head}|Iteration 1\n\nwhat was done`,
  );
  expect(heads(fixture)).toEqual(["main", "soda/tool"]);
  expect(marks(fixture)).toEqual([]);
  expect(on(fixture, workspace)).toBe("soda/tool");
  expect(fixture.git(["status", "--porcelain"], tree)).toBe("");
  expect(readFileSync(join(tree, "a.txt"), "utf8")).toBe("the task's\n");
  expect(await fixture.again().mergeBack(workspace, branch, "again")).toEqual(merge);
});

test("[X-7] a work branch without commits is deleted, and the working branch stays where it is", async () => {
  using fixture = createFixture();
  const { workspace } = await begin(fixture);
  const { branch, base } = await fixture.workspaces.branchOff(workspace, work);
  expect(await fixture.workspaces.mergeBack(workspace, branch, "m")).toEqual({ kind: "merged", sha: base });
  expect(heads(fixture)).toEqual(["main", "soda/tool"]);
  expect(on(fixture, workspace)).toBe("soda/tool");
});

test("[X-7] what somebody committed to the working branch meanwhile is merged with the work", async () => {
  using fixture = createFixture();
  const { workspace, tree, branch, saved } = await beginWork(fixture);
  const other = join(fixture.folder, "other");
  fixture.git(["worktree", "add", "--quiet", other, "soda/tool"]);
  fixture.write("b.txt", "somebody's\n", other);
  fixture.git(["commit", "--quiet", "-am", "meanwhile"], other);
  const theirs = fixture.git(["rev-parse", "soda/tool"]);
  // As long as somebody has it checked out, it is not moved under their hands.
  await expect(fixture.workspaces.mergeBack(workspace, branch, "m")).rejects.toMatchObject({
    code: "branch_checked_out",
    data: { branch: "soda/tool", directory: other },
  });
  expect(fixture.git(["rev-parse", "soda/tool"])).toBe(theirs);
  expect(on(fixture, workspace)).toBe(branch);
  fixture.git(["worktree", "remove", other]);
  expect((await fixture.workspaces.mergeBack(workspace, branch, "m")).kind).toBe("merged");
  expect(fixture.git(["log", "-1", "--format=%P", "soda/tool"])).toBe(`${theirs} ${saved.head}`);
  expect(readFileSync(join(tree, "b.txt"), "utf8")).toBe("somebody's\n");
});

test("[X-7] a conflict changes nothing: the work branch is kept, and the tree is clean on the working branch", async () => {
  using fixture = createFixture();
  const { workspace, tree, branch } = await beginWork(fixture);
  fixture.write("a.txt", "the human's\n");
  fixture.git(["commit", "--quiet", "-am", "on main"]);
  await fixture.workspaces.updateBranch(workspace, "merge");
  const before = fixture.git(["rev-parse", "soda/tool", branch]);
  const merge = await fixture.workspaces.mergeBack(workspace, branch, "m");
  expect(merge).toEqual({ kind: "conflict", files: ["a.txt"] });
  expect(fixture.git(["rev-parse", "soda/tool", branch])).toBe(before);
  expect(on(fixture, workspace)).toBe("soda/tool");
  expect(fixture.git(["status", "--porcelain"], tree)).toBe("");
  expect(await fixture.again().mergeBack(workspace, branch, "m")).toEqual(merge);
  // The next iteration begins beside it.
  expect((await fixture.workspaces.branchOff(workspace, "soda/iteration-2")).branch).toBe("soda/iteration-2");
  expect(marks(fixture)).toEqual([`refs/ralpher/left/loop-1/${branch}`, "refs/ralpher/work/loop-1/soda/iteration-2"]);
});

test("[X-7] what only the work's own rules ignored does not lie bare after a conflict, for the next save to commit", async () => {
  using fixture = createFixture();
  const { workspace, tree, branch, saved } = await beginWork(fixture);
  fixture.write(".gitignore", ".env\n", tree);
  fixture.write(".env", "SECRET=1\n", tree);
  await fixture.workspaces.saveOn(workspace, branch, { since: saved.head, message: "[app-2] rules" });
  fixture.write("a.txt", "the human's\n");
  fixture.git(["commit", "--quiet", "-am", "on main"]);
  await fixture.workspaces.updateBranch(workspace, "merge");
  expect((await fixture.workspaces.mergeBack(workspace, branch, "m")).kind).toBe("conflict");
  expect(fixture.git(["status", "--porcelain"], tree)).toBe("");
  expect(existsSync(join(tree, ".env"))).toBe(false);
});

test("[X-7] a work branch that somebody looks at is merged, and stays until they leave", async () => {
  using fixture = createFixture();
  const { workspace, branch, tree } = await beginWork(fixture);
  fixture.git(["checkout", "--quiet", "--detach"], tree);
  fixture.git(["checkout", "--quiet", branch]);
  expect((await fixture.workspaces.mergeBack(workspace, branch, "m")).kind).toBe("merged");
  expect(heads(fixture)).toContain(branch);
  expect(fixture.git(["status", "--porcelain", "--branch"])).toBe(`## ${branch}`);
});

test("[X-7] a switch that was killed halfway is done again, and what was in its way is kept", async () => {
  using fixture = createFixture();
  const { workspace, tree, branch } = await beginWork(fixture);
  fixture.write("b.txt", "the human's\n");
  fixture.git(["commit", "--quiet", "-am", "on main"]);
  await fixture.workspaces.updateBranch(workspace, "merge");
  fixture.write("b.txt", "half written\n", tree);
  const gitDir = fixture.git(["rev-parse", "--absolute-git-dir"], tree);
  fixture.write("index.lock", "", gitDir);
  expect((await fixture.workspaces.mergeBack(workspace, branch, "m")).kind).toBe("merged");
  expect(readFileSync(join(tree, "b.txt"), "utf8")).toBe("the human's\n");
  const kept = fixture.git(["for-each-ref", "--format=%(refname)", "refs/ralpher/trash"]);
  expect(fixture.git(["show", `${kept}:b.txt`])).toBe("half written");
  expect(fixture.git(["status", "--porcelain"], tree)).toBe("");
});

test("[X-1] in place, the checkout itself goes to the work branch and back", async () => {
  using fixture = createFixture();
  const request = fixture.request({ isolation: "checkout", branch: "soda/tool" });
  const workspace = await fixture.workspaces.open(request);
  const { branch, base } = await fixture.workspaces.branchOff(workspace, work);
  fixture.write("c.txt", "work\n");
  await fixture.workspaces.saveOn(workspace, branch, { since: base, message: "m" });
  expect(on(fixture, workspace)).toBe(work);
  expect(await fixture.again().open(request)).toEqual(workspace);
  expect(on(fixture, workspace)).toBe(work);
  expect((await fixture.workspaces.mergeBack(workspace, branch, "m")).kind).toBe("merged");
  expect(on(fixture, workspace)).toBe("soda/tool");
  expect(heads(fixture)).toEqual(["main", "soda/tool"]);
  expect(existsSync(join(fixture.repository, "c.txt"))).toBe(true);
});

test("[X-1] a worktree that is gone is made again on the branch the loop was at work on", async () => {
  using fixture = createFixture();
  const { workspace, tree, branch } = await beginWork(fixture);
  const request = fixture.request({ base: "main", branch: "soda/tool" });
  expect(await fixture.again().open(request)).toEqual(workspace);
  expect(on(fixture, workspace)).toBe(branch);
  rmSync(tree, { recursive: true });
  expect(await fixture.again().open(request)).toEqual(workspace);
  expect(on(fixture, workspace)).toBe(branch);
  expect(readFileSync(join(tree, "a.txt"), "utf8")).toBe("the task's\n");
  await fixture.workspaces.close(workspace);
  expect(await fixture.again().open(request)).toEqual(workspace);
  expect(on(fixture, workspace)).toBe(branch);
  // Nothing was unsaved, so nothing had to be kept.
  expect(fixture.git(["for-each-ref", "refs/ralpher/trash"])).toBe("");
  rmSync(join(fixture.repository, ".git/worktrees"), { recursive: true });
  fixture.write("b.txt", "unsaved\n", tree);
  expect(await fixture.workspaces.diff(workspace)).toEqual([]);
  expect(on(fixture, workspace)).toBe(branch);
  expect(fixture.git(["status", "--porcelain"], tree)).toBe("M b.txt");
});

test("[X-5] a task that its agent committed by itself is named by a commit on top, once", async () => {
  using fixture = createFixture();
  const { workspace, tree } = await begin(fixture);
  const { branch, base } = await fixture.workspaces.branchOff(workspace, work);
  const request = { since: base, message: "[SODA] app-1: Title\n\nwhy", always: true };
  expect(await fixture.workspaces.saveOn(workspace, branch, request)).toEqual({ kind: "nothing", head: base });
  fixture.write("a.txt", "the agent's\n", tree);
  fixture.git(["commit", "--quiet", "-am", "the agent's own"], tree);
  const saved = await fixture.workspaces.saveOn(workspace, branch, request);
  expect(saved).toMatchObject({
    head: fixture.git(["rev-parse", branch]),
    commits: [
      { message: "the agent's own", filesChanged: 1 },
      { message: request.message, filesChanged: 0 },
    ],
  });
  expect(fixture.git(["log", "--format=%s", `${base}..${branch}`]).split("\n")).toEqual([
    "[SODA] app-1: Title",
    "the agent's own",
  ]);
  expect(await fixture.again().saveOn(workspace, branch, request)).toEqual(saved);
});
