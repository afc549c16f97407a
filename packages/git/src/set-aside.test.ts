import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
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

const secrets = { ".env": "KEY=1\n", "node_modules/x/index.js": "x\n", "deep/cache/y": "y\n" };

/** An agent that writes rules, and files that only these ignore. */
function writeIgnored(fixture: Fixture, tree: string) {
  fixture.write(".gitignore", "*.log\n.env\nnode_modules/\n", tree);
  fixture.write("deep/.gitignore", "cache/\n", tree);
  fixture.write("deep/new.txt", "new\n", tree);
  fixture.write("build.log", "ignored before and after\n", tree);
  for (const [path, text] of Object.entries(secrets)) fixture.write(path, text, tree);
}

const objects = (fixture: Fixture) =>
  fixture.git(["cat-file", "--batch-all-objects", "--batch-check=%(objectname)"]).split("\n");

test("[X-3] files that only a rule ignored which is taken back leave the tree, get into no commit, and are kept", async () => {
  using fixture = createFixture({ files: { ".gitignore": "*.log\n", "a.txt": "a\n" } });
  const { workspace, tree, branch, base, request } = await begin(fixture);
  writeIgnored(fixture, tree);
  const aside = await fixture.workspaces.setAside(workspace, branch, request);
  const folder = join(fixture.root, "loop-1.aside/iteration-1-app-1");
  expect(aside?.warnings).toEqual([expect.stringContaining(folder)]);
  expect(fixture.git(["status", "--porcelain"], tree)).toBe("");
  expect(existsSync(join(tree, "build.log"))).toBe(true);
  for (const [path, text] of Object.entries(secrets)) expect(readFileSync(join(folder, path), "utf8")).toBe(text);

  fixture.write("a.txt", "the next task's\n", tree);
  await fixture.workspaces.saveOn(workspace, branch, { since: base, message: "next" });
  expect(fixture.git(["show", "--format=", "--name-only", branch])).toBe("a.txt");
  const secret = Bun.spawnSync(["git", "hash-object", "--stdin"], { stdin: Buffer.from(secrets[".env"]) });
  expect(objects(fixture)).not.toContain(secret.stdout.toString().trim());
  await fixture.workspaces.discard(workspace);
  expect(existsSync(join(fixture.root, "loop-1.aside"))).toBe(false);
});

test("[X-3] they leave the tree also when the try before was killed after it took the rules back", async () => {
  using fixture = createFixture({ files: { ".gitignore": "*.log\n", "a.txt": "a\n" } });
  const { workspace, tree, branch, request } = await begin(fixture);
  writeIgnored(fixture, tree);
  const aside = await fixture.workspaces.setAside(workspace, branch, request);
  // As it was when the reset was done and nothing was moved.
  const folder = join(fixture.root, "loop-1.aside/iteration-1-app-1");
  for (const path of Object.keys(secrets)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    renameSync(join(folder, path), join(tree, path));
  }
  fixture.write("loop-1.aside/.plan", JSON.stringify({ folder, paths: Object.keys(secrets) }), fixture.root);
  const again = await fixture.again().setAside(workspace, branch, request);
  expect(again).toEqual(aside);
  expect(fixture.git(["status", "--porcelain"], tree)).toBe("");
  expect(trash(fixture)).toEqual([]);
  for (const [path, text] of Object.entries(secrets)) expect(readFileSync(join(folder, path), "utf8")).toBe(text);
});

test("[X-3] a file that was made an ignored one and changed is kept, and the one before is back", async () => {
  using fixture = createFixture({ files: { "settings.env": "KEY=\n", "dist/a.js": "a\n" } });
  const { workspace, tree, branch, request } = await begin(fixture);
  fixture.git(["rm", "--quiet", "-r", "--cached", "settings.env", "dist"], tree);
  fixture.write(".gitignore", "*.env\ndist/\n", tree);
  fixture.write("settings.env", "KEY=1\n", tree);
  fixture.write("dist/b.js", "b\n", tree);
  await fixture.workspaces.setAside(workspace, branch, request);
  expect(readFileSync(join(tree, "settings.env"), "utf8")).toBe("KEY=\n");
  const folder = join(fixture.root, "loop-1.aside/iteration-1-app-1");
  expect(readFileSync(join(folder, "settings.env"), "utf8")).toBe("KEY=1\n");
  expect(readFileSync(join(folder, "dist/b.js"), "utf8")).toBe("b\n");
  expect(readFileSync(join(tree, "dist/a.js"), "utf8")).toBe("a\n");
  expect(fixture.git(["status", "--porcelain"], tree)).toBe("");
});

/** An agent that goes to the milestone's branch and commits there. */
function commitOnMilestone(fixture: Fixture, tree: string, path = "a.txt") {
  fixture.git(["checkout", "--quiet", "soda/tool"], tree);
  fixture.write(path, `on the milestone: ${path}\n`, tree);
  fixture.git(["add", "-A"], tree);
  fixture.git(["commit", "--quiet", "-m", "the agent's, on the milestone"], tree);
  return fixture.git(["rev-parse", "HEAD"], tree);
}

for (const comesBack of [true, false]) {
  test(`[X-3] commits of an agent on the milestone are taken back, ${comesBack ? "also when it came back" : "with the rest"}`, async () => {
    using fixture = createFixture();
    const { workspace, tree, branch, base, request } = await begin(fixture);
    commitOnMilestone(fixture, tree);
    const own = commitOnMilestone(fixture, tree, "b.txt");
    if (comesBack) {
      fixture.git(["checkout", "--quiet", branch], tree);
      fixture.write("new.txt", "on the work branch\n", tree);
    }
    const aside = await fixture.workspaces.setAside(workspace, branch, request);
    expect(aside?.warnings).toEqual([expect.stringContaining("refs/ralpher/trash/soda/tool/")]);
    expect(fixture.git(["rev-parse", "soda/tool", branch, "HEAD"], tree)).toBe(`${base}\n${base}\n${base}`);
    expect(fixture.git(["show", "--format=", "--name-only", aside?.ref ?? ""])).toBe(
      comesBack ? "new.txt" : "a.txt\nb.txt",
    );
    expect(trash(fixture)).toContain(own);
    expect(await fixture.again().setAside(workspace, branch, request)).toEqual({
      ref: aside?.ref ?? "",
      sha: aside?.sha ?? "",
    });
  });
}

test("[X-3] what a good task before, the loop, or somebody else put on the milestone stays there", async () => {
  using fixture = createFixture();
  const { workspace, tree, branch, base, request } = await begin(fixture);
  commitOnMilestone(fixture, tree);
  fixture.git(["checkout", "--quiet", branch], tree);
  fixture.write("good.txt", "good\n", tree);
  const saved = await fixture.workspaces.saveOn(workspace, branch, { since: base, message: "good" });
  fixture.write("b.txt", "the human's\n");
  fixture.git(["commit", "--quiet", "-am", "on main"]);
  const update = await fixture.workspaces.updateBranch(workspace, "merge");
  const other = join(fixture.folder, "other");
  fixture.git(["worktree", "add", "--quiet", other, "soda/tool"]);
  fixture.write("c.txt", "the human's\n", other);
  fixture.git(["add", "-A"], other);
  fixture.git(["commit", "--quiet", "-m", "in a tree of their own"], other);
  const tip = fixture.git(["rev-parse", "soda/tool"]);
  fixture.git(["worktree", "remove", other]);
  expect(update.kind).toBe("updated");
  commitOnMilestone(fixture, tree, "d.txt");
  const aside = await fixture.workspaces.setAside(workspace, branch, { ...request, since: saved.head });
  expect(aside?.warnings).toHaveLength(1);
  expect(fixture.git(["rev-parse", "soda/tool"])).toBe(tip);
});

test("[X-3] commits on a milestone that somebody looks at stay, and are told of", async () => {
  using fixture = createFixture();
  const { workspace, tree, branch, request } = await begin(fixture);
  const own = commitOnMilestone(fixture, tree);
  fixture.git(["checkout", "--quiet", branch], tree);
  fixture.git(["worktree", "add", "--quiet", join(fixture.folder, "other"), "soda/tool"]);
  fixture.write("new.txt", "new\n", tree);
  const aside = await fixture.workspaces.setAside(workspace, branch, request);
  expect(aside?.warnings).toEqual([expect.stringContaining("are still there")]);
  expect(fixture.git(["rev-parse", "soda/tool"])).toBe(own);
});
