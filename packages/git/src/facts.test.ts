import { expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createFixture } from "./fixture.ts";

test("[R-WEB-6] facts say where the branch stands, and change nothing", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  const fresh = await fixture.workspaces.facts(workspace);
  const sha = workspace.baseSha;
  expect(fresh).toEqual({
    branch: "ralph/work",
    target: "main",
    head: sha,
    targetHead: sha,
    ahead: 0,
    behind: 0,
    uncommitted: 0,
    remote: null,
    pushed: false,
    compareUrl: null,
    restorable: false,
  });
  fixture.write("c.txt", "c\n", workspace.directory);
  const { head } = await fixture.workspaces.save({ workspace, since: sha, message: "m" });
  fixture.write("d.txt", "not saved\n", workspace.directory);
  fixture.write("a.txt", "not saved\n", workspace.directory);
  for (const subject of ["one", "two"]) fixture.git(["commit", "--quiet", "--allow-empty", "-m", subject]);
  fixture.git(["remote", "add", "origin", "https://ada:hunter2@github.com/ada/engine.git"]);
  const before = fixture.git(["for-each-ref"]);
  expect(await fixture.workspaces.facts(workspace)).toEqual({
    ...fresh,
    head,
    targetHead: fixture.git(["rev-parse", "main"]),
    ahead: 1,
    behind: 2,
    uncommitted: 2,
    remote: "origin",
    compareUrl: "https://github.com/ada/engine/compare/main...ralph/work?expand=1",
  });
  expect(fixture.git(["for-each-ref"])).toBe(before);
});

test("[R-WEB-6] a branch counts as pushed while the remote has it as it is here", async () => {
  using fixture = createFixture();
  const origin = join(fixture.folder, "origin.git");
  mkdirSync(origin);
  fixture.git(["init", "--quiet", "--bare"], origin);
  fixture.git(["remote", "add", "origin", origin]);
  const workspace = await fixture.workspaces.open(fixture.request());
  const pushed = async () => (await fixture.workspaces.facts(workspace)).pushed;
  expect(await pushed()).toBe(false);
  await fixture.workspaces.push(workspace);
  expect(await pushed()).toBe(true);
  fixture.git(["commit", "--quiet", "--allow-empty", "-m", "more"], workspace.directory);
  expect(await pushed()).toBe(false);
  await fixture.workspaces.push(workspace);
  fixture.git(["pack-refs", "--all"]);
  expect(await pushed()).toBe(true);
});

test("[R-WEB-6] facts are had of a closed loop, and when branches are gone", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.write("c.txt", "c\n", workspace.directory);
  await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" });
  await fixture.workspaces.close(workspace);
  expect(await fixture.workspaces.facts(workspace)).toMatchObject({ ahead: 1, behind: 0, uncommitted: 0 });
  const missing = await fixture.workspaces.facts({ ...workspace, originalBranch: "gone" });
  expect(missing).toMatchObject({ targetHead: null, ahead: 0, behind: 0 });
  await fixture.workspaces.discard(workspace);
  const discarded = await fixture.workspaces.facts(workspace);
  expect(discarded).toMatchObject({ head: null, ahead: 0, pushed: false, restorable: true });
  rmSync(fixture.repository, { recursive: true });
  await expect(fixture.workspaces.facts(workspace)).rejects.toMatchObject({ code: "directory_missing" });
});

test("[R-WEB-6] in place, only the loop's own uncommitted changes count", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request({ isolation: "checkout" }));
  fixture.write("a.txt", "not saved\n");
  expect((await fixture.workspaces.facts(workspace)).uncommitted).toBe(1);
  fixture.git(["checkout", "--quiet", "main"]);
  expect((await fixture.workspaces.facts(workspace)).uncommitted).toBe(0);
});
