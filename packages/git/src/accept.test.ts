import { expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { GitWorkspace } from "@ralpher/contract";
import { createFixture, type Fixture } from "./fixture.ts";

const message = "Merge the loop's work";
const text = (path: string, cwd: string) => readFileSync(join(cwd, path), "utf8");

/** A loop that changed `a.txt` and added `c.txt`. */
async function worked(fixture: Fixture, isolation: "worktree" | "checkout" = "worktree"): Promise<GitWorkspace> {
  const workspace = await fixture.workspaces.open(fixture.request({ isolation }));
  fixture.write("a.txt", "the loop's\n", workspace.directory);
  fixture.write("c.txt", "new\n", workspace.directory);
  await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "work" });
  return workspace;
}

/** A commit of the user's on the branch that is checked out in the repository. */
function commit(fixture: Fixture, path: string, content: string): string {
  fixture.write(path, content);
  fixture.git(["add", "-A"]);
  fixture.git(["commit", "--quiet", "-m", `user changed ${path}`]);
  return fixture.git(["rev-parse", "HEAD"]);
}

/** Everything in the repository that an accept could change. */
const state = (fixture: Fixture) =>
  [
    fixture.git(["for-each-ref", "--format=%(refname) %(objectname)", "refs/heads"]),
    fixture.git(["symbolic-ref", "HEAD"]),
    fixture.git(["status", "--porcelain"]),
    fixture.git(["worktree", "list"]),
  ].join("\n");

test("[R-GIT-5] accept merges into the original branch and its checkout, and tells the commit", async () => {
  using fixture = createFixture();
  const workspace = await worked(fixture);
  const main = commit(fixture, "b.txt", "the user's\n");
  const merge = await fixture.workspaces.accept(workspace, message);
  if (merge.kind !== "merged") throw new Error(merge.kind);
  expect(fixture.git(["rev-parse", "main"])).toBe(merge.sha);
  const parents = fixture.git(["log", "-1", "--format=%P", merge.sha]).split(" ");
  expect(parents).toEqual([main, fixture.git(["rev-parse", "ralph/work"])]);
  expect(fixture.git(["log", "-1", "--format=%s", merge.sha])).toBe(message);
  expect([text("a.txt", fixture.repository), text("b.txt", fixture.repository)]).toEqual([
    "the loop's\n",
    "the user's\n",
  ]);
  expect(fixture.git(["status", "--porcelain"])).toBe("");
  expect(existsSync(workspace.directory)).toBe(true);
});

test("[R-GIT-5] a merge commit is made also when nothing else happened on the original branch", async () => {
  using fixture = createFixture();
  const workspace = await worked(fixture);
  const merge = await fixture.workspaces.accept(workspace, message);
  expect(fixture.git(["log", "-1", "--format=%P", "main"]).split(" ")).toHaveLength(2);
  expect(await fixture.workspaces.accept(workspace, message)).toEqual(merge);
  commit(fixture, "later.txt", "later\n");
  expect(await fixture.workspaces.accept(workspace, message)).toEqual(merge);
});

test("[R-GIT-5] a conflict names the files and changes nothing", async () => {
  using fixture = createFixture();
  const workspace = await worked(fixture);
  commit(fixture, "a.txt", "the user's\n");
  fixture.write("b.txt", "not committed\n");
  const before = state(fixture);
  expect(await fixture.workspaces.accept(workspace, message)).toEqual({ kind: "conflict", files: ["a.txt"] });
  expect(state(fixture)).toBe(before);
});

test("[R-GIT-5] uncommitted changes in the way are named, and nothing changes", async () => {
  using fixture = createFixture();
  const workspace = await worked(fixture);
  fixture.write("a.txt", "not committed\n");
  fixture.write("b.txt", "unrelated\n");
  fixture.write("c.txt", "untracked, in the way\n");
  const before = state(fixture);
  const accepting = fixture.workspaces.accept(workspace, message);
  await expect(accepting).rejects.toMatchObject({
    code: "target_not_clean",
    data: { branch: "main", files: ["a.txt", "c.txt"] },
  });
  expect(state(fixture)).toBe(before);
  expect(text("c.txt", fixture.repository)).toBe("untracked, in the way\n");
});

test("[R-GIT-5] a file git ignores is not overwritten", async () => {
  using fixture = createFixture({ files: { ".gitignore": ".env\n", "a.txt": "a\n" } });
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.write(".env", "the loop's\n", workspace.directory);
  fixture.git(["add", "--force", ".env"], workspace.directory);
  await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "work" });
  fixture.write(".env", "secret\n");
  await expect(fixture.workspaces.accept(workspace, message)).rejects.toMatchObject({
    code: "target_not_clean",
    data: { files: [".env"] },
  });
  expect(text(".env", fixture.repository)).toBe("secret\n");
});

test("[R-GIT-5] unrelated uncommitted changes stay as they are, staged ones staged", async () => {
  using fixture = createFixture({ files: { "a.txt": "a\n", "b.txt": "b\n", "d.txt": "d\n" } });
  const workspace = await worked(fixture);
  fixture.write("b.txt", "staged\n");
  fixture.git(["add", "b.txt"]);
  fixture.write("d.txt", "unstaged\n");
  expect(await fixture.workspaces.accept(workspace, message)).toMatchObject({ kind: "merged" });
  expect(fixture.git(["status", "--porcelain"])).toBe("M  b.txt\n M d.txt");
  expect(text("a.txt", fixture.repository)).toBe("the loop's\n");
});

test("[R-GIT-5] a target that is checked out nowhere, or in another worktree, is merged there", async () => {
  using fixture = createFixture();
  const workspace = await worked(fixture);
  fixture.git(["checkout", "--quiet", "-b", "elsewhere"]);
  const merge = await fixture.workspaces.accept(workspace, message);
  expect(merge).toEqual({ kind: "merged", sha: fixture.git(["rev-parse", "main"]) });
  expect(text("a.txt", fixture.repository)).toBe("a\n");

  const linked = join(fixture.folder, "linked main");
  fixture.git(["worktree", "add", "--quiet", linked, "main"]);
  fixture.write("c.txt", "again\n", workspace.directory);
  const head = fixture.git(["rev-parse", "ralph/work"]);
  await fixture.workspaces.save({ workspace, since: head, message: "more" });
  expect(await fixture.workspaces.accept(workspace, message)).toMatchObject({ kind: "merged" });
  expect(text("c.txt", linked)).toBe("again\n");
  expect(fixture.git(["status", "--porcelain"], linked)).toBe("");
});

test("[R-GIT-5] a worktree removed by hand does not count as a checkout", async () => {
  using fixture = createFixture();
  const workspace = await worked(fixture);
  fixture.git(["checkout", "--quiet", "-b", "elsewhere"]);
  const linked = join(fixture.folder, "linked");
  fixture.git(["worktree", "add", "--quiet", linked, "main"]);
  rmSync(linked, { recursive: true });
  const merge = await fixture.workspaces.accept(workspace, message);
  expect(merge).toEqual({ kind: "merged", sha: fixture.git(["rev-parse", "main"]) });
});

test("[R-GIT-5] a closed worktree can still be accepted", async () => {
  using fixture = createFixture();
  const workspace = await worked(fixture);
  await fixture.workspaces.close(workspace);
  expect(await fixture.workspaces.accept(workspace, message)).toMatchObject({ kind: "merged" });
  expect(text("c.txt", fixture.repository)).toBe("new\n");
});

test("[R-GIT-5] a branch merged by hand, or without commits, is answered with the commit that is in", async () => {
  using fixture = createFixture();
  const workspace = await worked(fixture);
  fixture.git(["merge", "--quiet", "--ff-only", "ralph/work"]);
  const sha = fixture.git(["rev-parse", "ralph/work"]);
  commit(fixture, "later.txt", "later\n");
  expect(await fixture.workspaces.accept(workspace, message)).toEqual({ kind: "merged", sha });
  const idle = await fixture.workspaces.open(fixture.request({ key: "idle" }));
  expect(await fixture.workspaces.accept(idle, message)).toEqual({ kind: "merged", sha: idle.baseSha });
});

test("[R-GIT-5] in place, accepting gives the user the original branch back with the merge", async () => {
  using fixture = createFixture();
  const workspace = await worked(fixture, "checkout");
  fixture.write("b.txt", "not committed\n");
  const merge = await fixture.workspaces.accept(workspace, message);
  expect(fixture.git(["symbolic-ref", "HEAD"])).toBe("refs/heads/main");
  expect(merge).toEqual({ kind: "merged", sha: fixture.git(["rev-parse", "main"]) });
  expect(text("a.txt", fixture.repository)).toBe("the loop's\n");
  expect(fixture.git(["status", "--porcelain"])).toBe("M b.txt");
});

test("[R-GIT-5] in place, uncommitted changes in the way are named, and nothing changes", async () => {
  using fixture = createFixture();
  const workspace = await worked(fixture, "checkout");
  // On main, the user's own commit changes the file that is now changed and not saved.
  const other = join(fixture.folder, "other");
  fixture.git(["worktree", "add", "--quiet", other, "main"]);
  fixture.write("b.txt", "on main\n", other);
  fixture.git(["commit", "--quiet", "-am", "on main"], other);
  fixture.git(["worktree", "remove", other]);
  fixture.write("b.txt", "not committed\n");
  const before = state(fixture);
  await expect(fixture.workspaces.accept(workspace, message)).rejects.toMatchObject({
    code: "target_not_clean",
    data: { files: ["b.txt"] },
  });
  expect(state(fixture)).toBe(before);
});

test("[R-GIT-5] a branch that is gone is a clear fault", async () => {
  using fixture = createFixture();
  const workspace = await worked(fixture);
  const gone = { code: "branch_missing" };
  await expect(fixture.workspaces.accept({ ...workspace, originalBranch: "gone" }, "m")).rejects.toMatchObject(gone);
  await expect(fixture.workspaces.accept({ ...workspace, workingBranch: "gone" }, "m")).rejects.toMatchObject(gone);
  rmSync(fixture.repository, { recursive: true });
  await expect(fixture.workspaces.accept(workspace, "m")).rejects.toMatchObject({ code: "directory_missing" });
});

test("[R-GIT-5] loops of one repository accepted at once all arrive", async () => {
  using fixture = createFixture();
  const loops = await Promise.all(
    Array.from({ length: 6 }, async (_, n) => {
      const workspace = await fixture.workspaces.open(fixture.request({ key: `k${n}` }));
      fixture.write(`file-${n}.txt`, "x\n", workspace.directory);
      await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "work" });
      return workspace;
    }),
  );
  const merges = await Promise.all(loops.map((workspace) => fixture.workspaces.accept(workspace, message)));
  expect(merges.every((merge) => merge.kind === "merged")).toBe(true);
  expect(loops.map((_, n) => existsSync(join(fixture.repository, `file-${n}.txt`)))).toEqual(loops.map(() => true));
});

const items = ".trace/issues.jsonl";
const item = (id: string, second: number) => `{"id": "${id}", "updated_at": "2026-11-21T21:55:0${second}.000001Z"}\n`;

/** A loop that changed work items, in a repository that has them committed, or has none. */
async function workedOnItems(fixture: Fixture): Promise<GitWorkspace> {
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.write(items, item("app-a", 1) + item("app-b", 3), workspace.directory);
  await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "work" });
  return workspace;
}

for (const files of [{ [items]: item("app-a", 1) }, { "a.txt": "a\n" }]) {
  test(`[R-GIT-5] work items that a human changed and did not commit are merged with the loop's, ${items in files ? "tracked" : "untracked"}`, async () => {
    using fixture = createFixture({ files });
    const workspace = await workedOnItems(fixture);
    fixture.write("other.txt", "the human's\n");
    fixture.write(items, item("app-a", 2) + item("app-c", 1));
    const merge = await fixture.workspaces.accept(workspace, message);
    expect(merge).toEqual({ kind: "merged", sha: fixture.git(["rev-parse", "main"]) });
    expect(fixture.git(["show", `main:${items}`])).toBe(`${item("app-a", 1)}${item("app-b", 3)}`.trim());
    expect(text(items, fixture.repository)).toBe(item("app-a", 2) + item("app-b", 3) + item("app-c", 1));
    expect(fixture.git(["status", "--porcelain"])).toBe(`M ${items}\n?? other.txt`);
  });
}

test("[R-GIT-5] work items that both committed are merged; ones that cannot be read are refused, and nothing changes", async () => {
  using fixture = createFixture({ files: { [items]: item("app-a", 1) } });
  const workspace = await workedOnItems(fixture);
  fixture.write(items, "<<<<<<<\n");
  const before = state(fixture);
  await expect(fixture.workspaces.accept(workspace, message)).rejects.toMatchObject({
    code: "target_not_clean",
    data: { files: [items] },
  });
  expect(state(fixture)).toBe(before);
  commit(fixture, items, item("app-a", 2) + item("app-c", 1));
  expect(await fixture.workspaces.updateBranch(workspace, "rebase")).toMatchObject({ kind: "updated" });
  expect(await fixture.workspaces.accept(workspace, message)).toMatchObject({ kind: "merged" });
  expect(text(items, fixture.repository)).toBe(item("app-a", 2) + item("app-b", 3) + item("app-c", 1));
  expect(fixture.git(["status", "--porcelain"])).toBe("");
});
