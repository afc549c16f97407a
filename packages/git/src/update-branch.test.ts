import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { GitWorkspace } from "@ralpher/contract";
import { createFixture, type Fixture } from "./fixture.ts";

const text = (path: string, cwd: string) => readFileSync(join(cwd, path), "utf8");
const kept = (fixture: Fixture) =>
  fixture.git(["for-each-ref", "--format=%(objectname)", "refs/ralpher/trash"]).split("\n").filter(Boolean);

/** A loop with one commit for each name: a file of that name. */
async function worked(fixture: Fixture, names: string[], isolation: "worktree" | "checkout" = "worktree") {
  const workspace = await fixture.workspaces.open(fixture.request({ isolation }));
  let since = workspace.baseSha;
  for (const name of names) {
    fixture.write(name, `the loop's ${name}\n`, workspace.directory);
    since = (await fixture.workspaces.save({ workspace, since, message: `add ${name}\n\nAnd why.` })).head;
  }
  return workspace;
}

/** A commit of somebody else's on main, made in a tree of its own, so that no checkout is disturbed. */
function onMain(fixture: Fixture, path: string, content: string): string {
  const other = join(fixture.folder, "other");
  fixture.git(["worktree", "add", "--quiet", "--detach", other, "main"]);
  fixture.write(path, content, other);
  fixture.git(["add", "-A"], other);
  fixture.git(["commit", "--quiet", "-m", `main: ${path}`], other);
  const sha = fixture.git(["rev-parse", "HEAD"], other);
  fixture.git(["worktree", "remove", other]);
  if (fixture.git(["symbolic-ref", "HEAD"]) === "refs/heads/main") fixture.git(["merge", "--quiet", "--ff-only", sha]);
  else fixture.git(["update-ref", "refs/heads/main", sha]);
  return sha;
}

/** Everything that an update could change. */
const state = (fixture: Fixture, workspace: GitWorkspace) =>
  [
    fixture.git(["for-each-ref", "--format=%(refname) %(objectname)"]),
    fixture.git(["status", "--porcelain"]),
    fixture.git(["worktree", "list"]),
    existsSync(workspace.directory) ? fixture.git(["status", "--porcelain"], workspace.directory) : "closed",
  ].join("\n");

const subjects = (fixture: Fixture, range: string) => fixture.git(["log", "--format=%s", range]).split("\n");

test("[R-GIT-5] an update by merge brings the target's commits into branch and worktree", async () => {
  using fixture = createFixture();
  const workspace = await worked(fixture, ["one", "two"]);
  const old = fixture.git(["rev-parse", "ralph/work"]);
  const baseSha = onMain(fixture, "b.txt", "main's\n");
  const update = await fixture.workspaces.updateBranch(workspace, "merge");
  const head = fixture.git(["rev-parse", "ralph/work"]);
  expect(update).toEqual({ kind: "updated", baseSha, head });
  expect(fixture.git(["log", "-1", "--format=%P", head])).toBe(`${old} ${baseSha}`);
  expect(text("b.txt", workspace.directory)).toBe("main's\n");
  expect(fixture.git(["status", "--porcelain"], workspace.directory)).toBe("");
  const changed = await fixture.workspaces.diff({ ...workspace, baseSha });
  expect(changed.map(({ path }) => path)).toEqual(["one", "two"]);
});

test("[R-GIT-5] an update by rebase keeps every commit with its author, date and message", async () => {
  using fixture = createFixture();
  const workspace = await worked(fixture, ["one", "two"]);
  fixture.git(["commit", "--quiet", "--allow-empty", "-m", "nothing in it"], workspace.directory);
  const env = { ...fixture.env, GIT_AUTHOR_NAME: "Ünal", GIT_AUTHOR_EMAIL: "", GIT_AUTHOR_DATE: "@1 +0300" };
  fixture.write("three", "3\n", workspace.directory);
  fixture.git(["add", "-A"], workspace.directory);
  const made = Bun.spawnSync(
    ["git", "commit", "--cleanup=verbatim", "-m", "third\n\n# no comment\n\nCo-authored-by: X"],
    {
      cwd: workspace.directory,
      env,
    },
  );
  expect(made.exitCode).toBe(0);
  const format = "--format=%an|%ae|%ad|%B";
  const before = fixture.git(["log", format, "main..ralph/work"]);
  const old = fixture.git(["rev-parse", "ralph/work"]);
  const baseSha = onMain(fixture, "b.txt", "main's\n");
  const update = await fixture.workspaces.updateBranch(workspace, "rebase");
  const head = fixture.git(["rev-parse", "ralph/work"]);
  expect(update).toEqual({ kind: "updated", baseSha, head });
  expect(fixture.git(["log", format, "main..ralph/work"])).toBe(before);
  expect(fixture.git(["rev-list", "--count", "--merges", "main..ralph/work"])).toBe("0");
  expect(fixture.git(["merge-base", "main", "ralph/work"])).toBe(baseSha);
  expect(text("b.txt", workspace.directory)).toBe("main's\n");
  expect(fixture.git(["status", "--porcelain"], workspace.directory)).toBe("");
  expect(kept(fixture)).toContain(old);
});

test("[R-GIT-5] a rebase keeps a commit whose change the target has already", async () => {
  using fixture = createFixture();
  const workspace = await worked(fixture, ["one", "two"]);
  onMain(fixture, "one", "the loop's one\n");
  expect(await fixture.workspaces.updateBranch(workspace, "rebase")).toMatchObject({ kind: "updated" });
  expect(subjects(fixture, "main..ralph/work")).toEqual(["add two", "add one"]);
});

test("[R-GIT-5] a rebase over merges keeps what was changed in them", async () => {
  using fixture = createFixture();
  const workspace = await worked(fixture, ["one"]);
  const { directory } = workspace;
  onMain(fixture, "b.txt", "main's\n");
  await fixture.workspaces.updateBranch(workspace, "merge");
  fixture.git(["checkout", "--quiet", "-b", "side"], directory);
  fixture.write("side", "side\n", directory);
  fixture.git(["add", "-A"], directory);
  fixture.git(["commit", "--quiet", "-m", "on a side"], directory);
  fixture.git(["checkout", "--quiet", "ralph/work"], directory);
  fixture.git(["merge", "--quiet", "--no-ff", "--no-commit", "side"], directory);
  fixture.write("evil", "made in a merge\n", directory);
  fixture.git(["add", "-A"], directory);
  fixture.git(["commit", "--quiet", "-m", "a merge with more in it"], directory);
  fixture.write("last", "last\n", directory);
  fixture.git(["add", "-A"], directory);
  fixture.git(["commit", "--quiet", "-m", "last"], directory);
  onMain(fixture, "a.txt", "main's too\n");
  expect(await fixture.workspaces.updateBranch(workspace, "rebase")).toMatchObject({ kind: "updated" });
  expect(subjects(fixture, "main..ralph/work").sort()).toEqual([
    "Changes that were made in merges",
    "add one",
    "last",
    "on a side",
  ]);
  expect(["one", "side", "evil", "last"].map((path) => existsSync(join(directory, path)))).toEqual(Array(4).fill(true));
  expect([text("a.txt", directory), text("b.txt", directory)]).toEqual(["main's too\n", "main's\n"]);
});

for (const method of ["merge", "rebase"] as const) {
  test(`[R-GIT-5] a conflict is found by ${method} before anything is changed`, async () => {
    using fixture = createFixture();
    const workspace = await worked(fixture, ["one", "a.txt", "two"]);
    onMain(fixture, "a.txt", "main's\n");
    fixture.write("untracked", "x\n", workspace.directory);
    fixture.write("b.txt", "not committed\n", workspace.directory);
    const before = state(fixture, workspace);
    const update = await fixture.workspaces.updateBranch(workspace, method);
    expect(update).toEqual({ kind: "conflict", files: ["a.txt"] });
    expect(state(fixture, workspace)).toBe(before);
  });

  test(`[R-GIT-5] ${method}: a branch that has all of the target stays where it is`, async () => {
    using fixture = createFixture();
    const workspace = await worked(fixture, ["one"]);
    const head = fixture.git(["rev-parse", "ralph/work"]);
    const answer = { kind: "updated" as const, baseSha: workspace.baseSha, head };
    expect(await fixture.workspaces.updateBranch(workspace, method)).toEqual(answer);
    onMain(fixture, "b.txt", "main's\n");
    const update = await fixture.workspaces.updateBranch(workspace, method);
    expect(await fixture.workspaces.updateBranch(workspace, method)).toEqual(update);
    expect(await fixture.workspaces.updateBranch(workspace, "rebase")).toEqual(update);
  });

  test(`[R-GIT-5] ${method}: a branch without commits, or merged by hand, goes to the target`, async () => {
    using fixture = createFixture();
    const workspace = await worked(fixture, []);
    const head = onMain(fixture, "b.txt", "main's\n");
    const answer = { kind: "updated" as const, baseSha: head, head };
    expect(await fixture.workspaces.updateBranch(workspace, method)).toEqual(answer);
    expect(text("b.txt", workspace.directory)).toBe("main's\n");
  });

  test(`[R-GIT-5] ${method}: a closed loop's branch is updated without a worktree`, async () => {
    using fixture = createFixture();
    const workspace = await worked(fixture, ["one"]);
    await fixture.workspaces.close(workspace);
    onMain(fixture, "b.txt", "main's\n");
    expect(await fixture.workspaces.updateBranch(workspace, method)).toMatchObject({ kind: "updated" });
    expect(existsSync(workspace.directory)).toBe(false);
    expect(fixture.git(["show", "ralph/work:b.txt", "ralph/work:one"])).toBe("main's\nthe loop's one");
    const again = await fixture.workspaces.open(fixture.request());
    expect(text("b.txt", again.directory)).toBe("main's\n");
  });

  test(`[R-GIT-5] ${method}: unrelated uncommitted changes stay, those in the way are named`, async () => {
    using fixture = createFixture({ files: { ".gitignore": "*.log\n", "a.txt": "a\n", "b.txt": "b\n" } });
    const workspace = await worked(fixture, ["one"]);
    const { directory } = workspace;
    fixture.write("a.txt", "not committed\n", directory);
    onMain(fixture, "b.txt", "main's\n");
    expect(await fixture.workspaces.updateBranch(workspace, method)).toMatchObject({ kind: "updated" });
    expect(fixture.git(["status", "--porcelain"], directory)).toBe("M a.txt");

    onMain(fixture, "a.txt", "main's\n");
    onMain(fixture, "new.txt", "main's\n");
    fixture.write("new.txt", "untracked\n", directory);
    const before = [fixture.git(["rev-parse", "ralph/work"]), fixture.git(["status", "--porcelain"], directory)];
    await expect(fixture.workspaces.updateBranch(workspace, method)).rejects.toMatchObject({
      code: "target_not_clean",
      data: { branch: "ralph/work", files: ["a.txt", "new.txt"] },
    });
    expect([fixture.git(["rev-parse", "ralph/work"]), fixture.git(["status", "--porcelain"], directory)]).toEqual(
      before,
    );
    expect([text("a.txt", directory), text("new.txt", directory)]).toEqual(["not committed\n", "untracked\n"]);
  });

  test(`[R-GIT-5] ${method}: a file git ignores is not overwritten`, async () => {
    using fixture = createFixture({ files: { ".gitignore": ".env\n", "a.txt": "a\n" } });
    const workspace = await worked(fixture, ["one"]);
    fixture.write(".env", "secret\n", workspace.directory);
    const other = join(fixture.folder, "other");
    fixture.git(["worktree", "add", "--quiet", "--detach", other, "main"]);
    fixture.write(".env", "main's\n", other);
    fixture.git(["add", "--force", ".env"], other);
    fixture.git(["commit", "--quiet", "-m", "env"], other);
    fixture.git(["merge", "--quiet", "--ff-only", fixture.git(["rev-parse", "HEAD"], other)]);
    await expect(fixture.workspaces.updateBranch(workspace, method)).rejects.toMatchObject({
      code: "target_not_clean",
      data: { files: [".env"] },
    });
    expect(text(".env", workspace.directory)).toBe("secret\n");
  });

  test(`[R-GIT-5] ${method}: in place, the user's checkout goes along and keeps what is not committed`, async () => {
    using fixture = createFixture();
    const workspace = await worked(fixture, ["one"], "checkout");
    onMain(fixture, "b.txt", "main's\n");
    fixture.write("a.txt", "not committed\n");
    expect(await fixture.workspaces.updateBranch(workspace, method)).toMatchObject({ kind: "updated" });
    expect(fixture.git(["symbolic-ref", "HEAD"])).toBe("refs/heads/ralph/work");
    expect([text("a.txt", fixture.repository), text("b.txt", fixture.repository)]).toEqual([
      "not committed\n",
      "main's\n",
    ]);
  });
}

test("[R-GIT-5] a loop whose branch or target is gone cannot be updated", async () => {
  using fixture = createFixture();
  const workspace = await worked(fixture, ["one"]);
  const gone = { code: "branch_missing" };
  const update = (changes: Partial<GitWorkspace>) =>
    fixture.workspaces.updateBranch({ ...workspace, ...changes }, "merge");
  await expect(update({ originalBranch: "gone" })).rejects.toMatchObject(gone);
  await expect(update({ workingBranch: "gone" })).rejects.toMatchObject(gone);
});

test("[R-GIT-5] after an update the loop goes on in its worktree, and its work can be accepted", async () => {
  using fixture = createFixture();
  const workspace = await worked(fixture, ["one"]);
  onMain(fixture, "b.txt", "main's\n");
  const update = await fixture.workspaces.updateBranch(workspace, "rebase");
  if (update.kind !== "updated") throw new Error(update.kind);
  const again = await fixture.workspaces.open(fixture.request());
  expect(again.directory).toBe(workspace.directory);
  fixture.write("two", "2\n", workspace.directory);
  const updated = { ...workspace, baseSha: update.baseSha };
  const saved = await fixture.workspaces.save({ workspace: updated, since: update.head, message: "more" });
  expect(saved).toMatchObject({ kind: "made", warnings: [], commits: [{ message: "more" }] });
  expect(await fixture.workspaces.accept(updated, "merge")).toMatchObject({ kind: "merged" });
  expect(text("one", fixture.repository)).toBe("the loop's one\n");
});
