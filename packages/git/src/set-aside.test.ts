import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createFixture, type Fixture } from "./fixture.ts";

async function begin(fixture: Fixture) {
  const workspace = await fixture.workspaces.open(fixture.request({ base: "main", branch: "soda/tool" }));
  const { branch, base } = await fixture.workspaces.branchOff(workspace, "soda/iteration-1");
  const request = { since: base, label: "iteration-1/app-1", message: "Set aside: app-1\n\nwhy" };
  return { workspace, tree: workspace.directory, branch, base, request };
}

const trash = (fixture: Fixture) =>
  fixture.git(["for-each-ref", "--format=%(objectname)", "refs/ralpher/trash"]).split("\n").filter(Boolean);

test("[X-3] changes are put under a ref of their own, and tree and branch are as they were", async () => {
  using fixture = createFixture({ files: { ".gitignore": "*.log\n", "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" } });
  const { workspace, tree, branch, base, request } = await begin(fixture);
  fixture.write("a.txt", "changed\n", tree);
  fixture.write("deep/new.txt", "new\n", tree);
  fixture.write("build.log", "ignored\n", tree);
  fixture.git(["rm", "--quiet", "b.txt"], tree);
  fixture.write("c.txt", "staged\n", tree);
  fixture.git(["add", "c.txt"], tree);
  const aside = await fixture.workspaces.setAside(workspace, branch, request);
  const ref = "refs/ralpher/aside/loop-1/iteration-1-app-1";
  expect(aside).toEqual({ ref, sha: fixture.git(["rev-parse", ref]) });
  expect(fixture.git(["log", "--format=%P|%B", "-1", ref])).toBe(`${base}|Set aside: app-1\n\nwhy`);
  expect(fixture.git(["show", "--format=", "--name-status", ref]).split("\n")).toEqual([
    "M\ta.txt",
    "D\tb.txt",
    "M\tc.txt",
    "A\tdeep/new.txt",
  ]);
  expect(fixture.git(["status", "--porcelain"], tree)).toBe("");
  expect(fixture.git(["rev-parse", branch, "HEAD"], tree)).toBe(`${base}\n${base}`);
  expect(existsSync(join(tree, "deep"))).toBe(false);
  expect(existsSync(join(tree, "build.log"))).toBe(true);
  expect(await fixture.again().setAside(workspace, branch, request)).toEqual(aside);
  fixture.git(["cherry-pick", ref], tree);
  expect(readFileSync(join(tree, "deep/new.txt"), "utf8")).toBe("new\n");
});

test("[X-3] commits that the agent had made are in it as well, and are kept as they are", async () => {
  using fixture = createFixture();
  const { workspace, tree, branch, base, request } = await begin(fixture);
  fixture.write("a.txt", "first\n", tree);
  await fixture.workspaces.saveOn(workspace, branch, { since: base, message: "task before" });
  const since = fixture.git(["rev-parse", branch]);
  fixture.write("b.txt", "committed\n", tree);
  fixture.git(["commit", "--quiet", "-am", "the agent's own"], tree);
  const own = fixture.git(["rev-parse", "HEAD"], tree);
  fixture.write("c.txt", "not committed\n", tree);
  const aside = await fixture.workspaces.setAside(workspace, branch, { ...request, since });
  expect(fixture.git(["show", "--format=%P", "--name-only", aside?.ref ?? ""]).split("\n")).toEqual([
    since,
    "",
    "b.txt",
    "c.txt",
  ]);
  expect(fixture.git(["rev-parse", branch])).toBe(since);
  expect(readFileSync(join(tree, "a.txt"), "utf8")).toBe("first\n");
  expect(fixture.git(["status", "--porcelain"], tree)).toBe("");
  expect(trash(fixture)).toEqual([own]);
});

test("[X-3] where nothing was changed nothing is set aside, and a taken label gets a number", async () => {
  using fixture = createFixture();
  const { workspace, tree, branch, base, request } = await begin(fixture);
  expect(await fixture.workspaces.setAside(workspace, branch, request)).toBeNull();
  fixture.write("a.txt", "one\n", tree);
  await fixture.workspaces.setAside(workspace, branch, request);
  fixture.write("b.txt", "kept\n", tree);
  await fixture.workspaces.saveOn(workspace, branch, { since: base, message: "m" });
  const since = fixture.git(["rev-parse", branch]);
  fixture.write("a.txt", "two\n", tree);
  const second = await fixture.workspaces.setAside(workspace, branch, { ...request, since });
  expect(second?.ref).toBe("refs/ralpher/aside/loop-1/iteration-1-app-1-2");
});

test("[X-3] an agent that went elsewhere, or stopped in the middle of a merge, is no obstacle", async () => {
  using fixture = createFixture();
  const { workspace, tree, branch, base, request } = await begin(fixture);
  fixture.git(["checkout", "--quiet", "-b", "agents-own"], tree);
  fixture.write("a.txt", "theirs\n", tree);
  fixture.git(["commit", "--quiet", "-am", "theirs"], tree);
  fixture.git(["checkout", "--quiet", "-b", "another", base], tree);
  fixture.write("a.txt", "ours\n", tree);
  fixture.git(["commit", "--quiet", "-am", "ours"], tree);
  expect(() => fixture.git(["merge", "agents-own"], tree)).toThrow();
  const aside = await fixture.workspaces.setAside(workspace, branch, request);
  expect(aside).not.toBeNull();
  expect(fixture.git(["show", `${aside?.ref}:a.txt`])).toContain("<<<<<<<");
  expect(fixture.git(["status", "--porcelain", "--branch"], tree)).toBe(`## ${branch}`);
  expect(fixture.git(["rev-parse", branch])).toBe(base);
});

test("[X-3] a try that was cut short is finished, and its whole is what counts", async () => {
  using fixture = createFixture();
  const { workspace, tree, branch, request } = await begin(fixture);
  fixture.write("a.txt", "changed\n", tree);
  fixture.write("b.txt", "changed\n", tree);
  const aside = await fixture.workspaces.setAside(workspace, branch, request);
  // As a reset leaves it that was killed after one of two files.
  fixture.write("b.txt", "changed\n", tree);
  fixture.write("index.lock", "", fixture.git(["rev-parse", "--absolute-git-dir"], tree));
  expect(await fixture.again().setAside(workspace, branch, request)).toEqual(aside);
  expect(fixture.git(["show", "--format=", "--name-only", aside?.ref ?? ""])).toBe("a.txt\nb.txt");
  expect(fixture.git(["status", "--porcelain"], tree)).toBe("");
});
