import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createFixture, type Fixture } from "./fixture.ts";

const text = (fixture: Fixture, path: string) => readFileSync(join(fixture.repository, path), "utf8");

/** A loop that was started over staged, unstaged and untracked changes, which it stashed. */
async function stashed(fixture: Fixture) {
  fixture.write("a.txt", "staged\n");
  fixture.git(["add", "a.txt"]);
  fixture.write("b.txt", "unstaged\n");
  fixture.write("new/c.txt", "untracked\n");
  return fixture.workspaces.open(fixture.request({ handleUncommitted: "stash" }));
}

test("[R-GIT-4] stashed changes are out of the way, and come back when the loop ends", async () => {
  using fixture = createFixture();
  const workspace = await stashed(fixture);
  expect(workspace.stashSha).toBe(fixture.git(["rev-parse", "stash@{0}"]));
  expect(fixture.git(["status", "--porcelain"])).toBe("");
  expect(readFileSync(join(workspace.directory, "a.txt"), "utf8")).toBe("a\n");

  expect(await fixture.workspaces.restoreStash(workspace)).toBe("restored");
  expect(fixture.git(["status", "--porcelain"])).toBe("M  a.txt\n M b.txt\n?? new/");
  expect(text(fixture, "new/c.txt")).toBe("untracked\n");
  expect(fixture.git(["stash", "list"])).toBe("");
  expect(fixture.git(["for-each-ref", "refs/ralpher/stash"])).toBe("");
  expect(await fixture.workspaces.restoreStash(workspace)).toBe("nothing");
});

test("[R-GIT-4] the stash is found again whatever the user does with the list", async () => {
  using fixture = createFixture();
  const workspace = await stashed(fixture);
  fixture.write("b.txt", "another\n");
  fixture.git(["stash", "push", "--quiet"]);
  expect(await fixture.workspaces.restoreStash(workspace)).toBe("restored");
  expect(fixture.git(["stash", "list"]).split("\n")).toHaveLength(1);
  expect(fixture.git(["show", "stash@{0}:b.txt"])).toBe("another");

  fixture.git(["reset", "--quiet", "--hard"]);
  fixture.git(["clean", "-fdq"]);
  fixture.write("a.txt", "second loop\n");
  const second = await fixture.workspaces.open(fixture.request({ key: "loop-2", handleUncommitted: "stash" }));
  fixture.git(["stash", "clear"]);
  expect(await fixture.workspaces.restoreStash(second)).toBe("restored");
  expect(text(fixture, "a.txt")).toBe("second loop\n");
});

test("[R-GIT-4] a stash made by a process that was killed is adopted", async () => {
  using fixture = createFixture();
  const workspace = await stashed(fixture);
  await fixture.workspaces.discard(workspace);
  fixture.git(["update-ref", "-d", "refs/ralpher/stash/loop-1"]);
  const again = await fixture.again().open(fixture.request({ handleUncommitted: "stash" }));
  expect(again.stashSha).toBe(workspace.stashSha);
  expect(await fixture.workspaces.restoreStash(again)).toBe("restored");
});

test("[R-GIT-4] stashed changes come back over an accepted merge that does not touch them", async () => {
  using fixture = createFixture();
  const workspace = await stashed(fixture);
  fixture.write("d.txt", "the loop's\n", workspace.directory);
  await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "work" });
  await fixture.workspaces.accept(workspace, "merge");
  expect(await fixture.workspaces.restoreStash(workspace)).toBe("restored");
  expect(fixture.git(["status", "--porcelain"])).toBe("M  a.txt\n M b.txt\n?? new/");
});

test("[R-GIT-4] a stash that would conflict is kept, and the checkout left alone", async () => {
  using fixture = createFixture();
  const workspace = await stashed(fixture);
  fixture.write("a.txt", "the loop's\n", workspace.directory);
  await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "work" });
  await fixture.workspaces.accept(workspace, "merge");
  const result = await fixture.workspaces.restoreStash(workspace);
  if (typeof result === "string") throw new Error(result);
  expect(result.kept).toBe(workspace.stashSha ?? "");
  expect(result.why).toContain("a.txt");
  expect(result.why).toContain(`git stash apply ${workspace.stashSha}`);
  expect(fixture.git(["status", "--porcelain"])).toBe("");
  expect(existsSync(join(fixture.repository, "new"))).toBe(false);
  expect(fixture.git(["rev-parse", "stash@{0}"])).toBe(workspace.stashSha ?? "");
});

test("[R-GIT-4] a stash is kept while newer changes of the user are in its way", async () => {
  using fixture = createFixture();
  const workspace = await stashed(fixture);
  fixture.write("b.txt", "newer\n");
  expect(await fixture.workspaces.restoreStash(workspace)).toMatchObject({ kept: workspace.stashSha });
  fixture.git(["checkout", "--quiet", "b.txt"]);
  fixture.write("new/c.txt", "newer\n");
  expect(await fixture.workspaces.restoreStash(workspace)).toMatchObject({ kept: workspace.stashSha });
  expect(fixture.git(["status", "--porcelain"])).toBe("?? new/");
  expect(text(fixture, "new/c.txt")).toBe("newer\n");
});

test("[R-GIT-4] without a stash there is nothing to restore", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  expect(await fixture.workspaces.restoreStash(workspace)).toBe("nothing");
});
