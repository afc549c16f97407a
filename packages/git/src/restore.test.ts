import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createFixture, type Fixture } from "./fixture.ts";

const text = (path: string, cwd: string) => readFileSync(join(cwd, path), "utf8");
const refsOf = (fixture: Fixture, below: string) => fixture.git(["for-each-ref", "--format=%(refname)", below]);

test("[R-GIT-6] a discard is undone: the branch is back, and its tree when it is opened", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.write("a.txt", "saved\n", workspace.directory);
  const saved = await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" });
  await fixture.workspaces.discard(workspace);
  expect((await fixture.workspaces.facts(workspace)).restorable).toBe(true);
  expect(await fixture.workspaces.restore(workspace)).toBe(saved.head);
  expect(fixture.git(["rev-parse", "ralph/work"])).toBe(saved.head);
  expect(await fixture.again().restore(workspace)).toBe(saved.head);
  expect((await fixture.workspaces.facts(workspace)).restorable).toBe(false);
  expect(await fixture.again().open(fixture.request())).toEqual(workspace);
  expect(text("a.txt", workspace.directory)).toBe("saved\n");
  expect(await fixture.workspaces.accept(workspace, "merge")).toMatchObject({ kind: "merged" });
});

test("[R-GIT-6] what was never saved comes back as the branch's last commit, untracked files too", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.write("a.txt", "saved\n", workspace.directory);
  const saved = await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" });
  fixture.write("a.txt", "never saved\n", workspace.directory);
  fixture.write("new.txt", "never added\n", workspace.directory);
  await fixture.workspaces.discard(workspace);
  const head = await fixture.workspaces.restore(workspace);
  expect(fixture.git(["log", "--format=%s", `${saved.head}..${head}`])).toBe("Unsaved work of ralph/work");
  expect(fixture.git(["show", `${head}:a.txt`, `${head}:new.txt`])).toBe("never saved\nnever added");
});

test("[R-GIT-6] it can be discarded and restored as often as one likes", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  for (const name of ["one", "two", "three"]) {
    await fixture.workspaces.open(fixture.request());
    fixture.write(name, "x\n", workspace.directory);
    await fixture.workspaces.discard(workspace);
    await fixture.workspaces.discard(workspace);
    const head = await fixture.workspaces.restore(workspace);
    expect(fixture.git(["ls-tree", "--name-only", head, name])).toBe(name);
  }
  expect(fixture.git(["rev-list", "--count", "main..ralph/work"])).toBe("3");
});

test("[R-GIT-6] after an update the base is the new one, also for a loop that was restored", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.write("c.txt", "c\n", workspace.directory);
  await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" });
  fixture.write("b.txt", "the user's\n");
  fixture.git(["commit", "--quiet", "-am", "the user's"]);
  const update = await fixture.workspaces.updateBranch(workspace, "rebase");
  if (update.kind !== "updated") throw new Error(update.kind);
  const updated = { ...workspace, baseSha: update.baseSha };
  await fixture.workspaces.discard(updated);
  expect(await fixture.workspaces.restore(updated)).toBe(update.head);
  expect(await fixture.workspaces.open(fixture.request())).toEqual(updated);
});

test("[R-GIT-6] in place, the branch comes back and the checkout stays where it is until the loop goes on", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request({ isolation: "checkout" }));
  fixture.write("a.txt", "never saved\n");
  await fixture.workspaces.discard(workspace);
  const head = await fixture.workspaces.restore(workspace);
  expect(fixture.git(["symbolic-ref", "HEAD"])).toBe("refs/heads/main");
  expect(fixture.git(["show", `${head}:a.txt`])).toBe("never saved");
  expect(await fixture.workspaces.open(fixture.request({ isolation: "checkout" }))).toEqual(workspace);
  expect(text("a.txt", fixture.repository)).toBe("never saved\n");
});

test("[R-GIT-6] two loops whose branches had the same name are not mixed up", async () => {
  using fixture = createFixture();
  const workspaces = [];
  for (const key of ["first", "second"]) {
    const workspace = await fixture.workspaces.open(fixture.request({ key }));
    fixture.write(key, "x\n", workspace.directory);
    await fixture.workspaces.discard(workspace);
    workspaces.push(workspace);
  }
  const [first, second] = workspaces;
  if (first === undefined || second === undefined) throw new Error("two were opened");
  expect(first.workingBranch).toBe(second.workingBranch);
  const head = await fixture.workspaces.restore(first);
  expect(fixture.git(["ls-tree", "--name-only", head, "first", "second"])).toBe("first");
  await expect(fixture.workspaces.restore(second)).rejects.toMatchObject({ code: "git_failed" });
  await fixture.workspaces.discard(second);
  expect(fixture.git(["rev-parse", "ralph/work"])).toBe(head);
  expect(refsOf(fixture, "refs/ralpher/discarded")).toBe("refs/ralpher/discarded/second/ralph/work");
});

test("[R-GIT-6] nothing that was kept is a clear fault", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  await fixture.workspaces.discard(workspace);
  for (const ref of refsOf(fixture, "refs/ralpher").split("\n")) fixture.git(["update-ref", "-d", ref]);
  expect((await fixture.workspaces.facts(workspace)).restorable).toBe(false);
  await expect(fixture.workspaces.restore(workspace)).rejects.toMatchObject({ code: "branch_missing" });
  expect(existsSync(workspace.directory)).toBe(false);
});
