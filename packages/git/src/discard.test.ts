import { expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { createFixture, type Fixture } from "./fixture.ts";

const kept = (fixture: Fixture, branch = "ralph/work") =>
  fixture
    .git(["for-each-ref", "--format=%(objectname)", `refs/ralpher/trash/${branch}`])
    .split("\n")
    .filter(Boolean);
const heads = (fixture: Fixture) =>
  fixture.git(["for-each-ref", "--format=%(refname:short)", "refs/heads"]).split("\n");

test("[R-GIT-6] discard removes branch and worktree and keeps their last commit", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.write("a.txt", "saved\n", workspace.directory);
  const saved = await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" });
  await fixture.workspaces.discard(workspace);
  expect(heads(fixture)).toEqual(["main"]);
  expect(readdirSync(fixture.root)).toEqual([]);
  expect(fixture.git(["worktree", "list", "--porcelain"]).match(/^worktree /gm)).toHaveLength(1);
  expect(kept(fixture)).toEqual([saved.head]);
  expect(fixture.git(["for-each-ref", "refs/ralpher/base"])).toBe("");
  await fixture.workspaces.discard(workspace);
  expect(kept(fixture)).toEqual([saved.head]);
});

test("[R-GIT-6] work that was never saved is kept, untracked files too", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.write("a.txt", "never saved\n", workspace.directory);
  fixture.write("new.txt", "never added\n", workspace.directory);
  await fixture.workspaces.discard(workspace);
  const found = kept(fixture).filter((sha) => sha !== workspace.baseSha);
  expect(found).toHaveLength(1);
  expect(fixture.git(["show", `${found[0]}:a.txt`, `${found[0]}:new.txt`])).toBe("never saved\nnever added");
});

test("[R-GIT-6] commits on a branch or a bare commit the agent went to are kept", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.git(["checkout", "--quiet", "--detach"], workspace.directory);
  fixture.write("a.txt", "detached\n", workspace.directory);
  fixture.git(["commit", "--quiet", "-am", "detached"], workspace.directory);
  const sha = fixture.git(["rev-parse", "HEAD"], workspace.directory);
  await fixture.workspaces.discard(workspace);
  expect(kept(fixture)).toContain(sha);
});

test("[R-GIT-6] discard works when folder, git's record, or branch were removed by hand", async () => {
  using fixture = createFixture();
  const open = (key: string) => fixture.workspaces.open(fixture.request({ key, branch: key }));
  const folder = await open("folder");
  rmSync(folder.directory, { recursive: true });
  await fixture.workspaces.discard(folder);

  const record = await open("record");
  fixture.write("a.txt", "never saved\n", record.directory);
  rmSync(`${fixture.repository}/.git/worktrees`, { recursive: true });
  await fixture.workspaces.discard(record);
  expect(kept(fixture, "record").map((sha) => fixture.git(["show", `${sha}:a.txt`]))).toContain("never saved");

  const branch = await open("branch");
  fixture.git(["update-ref", "-d", "refs/heads/branch"]);
  await fixture.workspaces.discard(branch);
  expect(heads(fixture)).toEqual(["main"]);
  expect(readdirSync(fixture.root)).toEqual([]);

  const repository = await open("repository");
  rmSync(fixture.repository, { recursive: true });
  await fixture.workspaces.discard(repository);
  expect(readdirSync(fixture.root)).toEqual([]);
});

test("[R-GIT-6] a branch the user has checked out is not pulled from under them", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  await fixture.workspaces.close(workspace);
  fixture.git(["checkout", "--quiet", "ralph/work"]);
  await expect(fixture.workspaces.discard(workspace)).rejects.toMatchObject({ code: "branch_checked_out" });
  expect(heads(fixture)).toEqual(["main", "ralph/work"]);
});

test("[R-GIT-6] in place, the work is saved and the original branch checked out again", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request({ isolation: "checkout" }));
  fixture.write("a.txt", "never saved\n");
  await fixture.workspaces.discard(workspace);
  expect(fixture.git(["symbolic-ref", "HEAD"])).toBe("refs/heads/main");
  expect(fixture.git(["status", "--porcelain"])).toBe("");
  expect(heads(fixture)).toEqual(["main"]);
  expect(fixture.git(["show", `${kept(fixture)[0]}:a.txt`])).toBe("never saved");
  await fixture.workspaces.discard(workspace);
  expect(existsSync(fixture.repository)).toBe(true);
});

test("close removes the worktree, keeps the branch, and keeps what was not saved", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.write("a.txt", "never saved\n", workspace.directory);
  await fixture.workspaces.close(workspace);
  await fixture.workspaces.close(workspace);
  expect(existsSync(workspace.directory)).toBe(false);
  expect(fixture.git(["rev-parse", "ralph/work"])).toBe(workspace.baseSha);
  expect(kept(fixture).map((sha) => fixture.git(["show", `${sha}:a.txt`]))).toEqual(["never saved"]);
});

test("in place, close leaves everything as it is", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request({ isolation: "checkout" }));
  fixture.write("a.txt", "not saved\n");
  await fixture.workspaces.close(workspace);
  expect(fixture.git(["symbolic-ref", "HEAD"])).toBe("refs/heads/ralph/work");
  expect(fixture.git(["status", "--porcelain"])).toBe("M a.txt");
});
