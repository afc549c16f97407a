import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFixture } from "./fixture.ts";

test("[R-GIT-1] a loop gets a branch from HEAD in a worktree of its own", async () => {
  using fixture = createFixture({ name: "mein Répo" });
  const head = fixture.git(["rev-parse", "HEAD"]);
  const workspace = await fixture.workspaces.open(fixture.request());
  expect(workspace).toEqual({
    kind: "worktree",
    directory: join(fixture.root, "loop-1"),
    repository: fixture.repository,
    originalBranch: "main",
    workingBranch: "ralph/work",
    baseSha: head,
  });
  expect(fixture.git(["symbolic-ref", "HEAD"], workspace.directory)).toBe("refs/heads/ralph/work");
  expect(readFileSync(join(workspace.directory, "a.txt"), "utf8")).toBe("a\n");
  expect(fixture.git(["symbolic-ref", "HEAD"])).toBe("refs/heads/main");
  expect(fixture.git(["status", "--porcelain"])).toBe("");
});

test("[R-GIT-1] a taken name gets a number, an impossible one is made possible", async () => {
  using fixture = createFixture();
  const open = async (key: string, branch: string) =>
    (await fixture.workspaces.open(fixture.request({ key, branch }))).workingBranch;
  expect(await open("k1", "ralph/work")).toBe("ralph/work");
  expect(await open("k2", "ralph/work")).toBe("ralph/work-2");
  expect(await open("k3", "ralph/work")).toBe("ralph/work-3");
  expect(await open("k4", "ralph")).toBe("ralph-2");
  expect(await open("k5", "ralph/work/more")).toBe("ralph-work-more");
  expect(await open("k6", "ralph/fix: a~b ^c..lock.lock")).toBe("ralph/fix-a-b-c");
});

test("[R-GIT-1] a subfolder of a repository is worked in as the same subfolder of the worktree", async () => {
  using fixture = createFixture({ files: { "packages/app/x": "x", y: "y" } });
  mkdirSync(join(fixture.repository, "only/here"), { recursive: true });
  const app = await fixture.workspaces.open(fixture.request({ directory: join(fixture.repository, "packages/app") }));
  expect(app.directory).toBe(join(fixture.root, "loop-1/packages/app"));
  expect(app.repository).toBe(fixture.repository);
  expect(readdirSync(app.directory)).toEqual(["x"]);
  const directory = join(fixture.repository, "only/here");
  const uncommitted = await fixture.workspaces.open(fixture.request({ key: "k2", directory }));
  expect(existsSync(uncommitted.directory)).toBe(true);
});

test("[R-GIT-1] in place, the branch is made and checked out where the user is", async () => {
  using fixture = createFixture();
  fixture.write("a.txt", "kept as it is\n");
  fixture.write("b.txt", "staged\n");
  fixture.git(["add", "b.txt"]);
  const request = fixture.request({ isolation: "checkout", handleUncommitted: "ignore" });
  const workspace = await fixture.workspaces.open(request);
  expect(workspace).toMatchObject({ kind: "checkout", directory: fixture.repository, originalBranch: "main" });
  expect(fixture.git(["symbolic-ref", "HEAD"])).toBe("refs/heads/ralph/work");
  expect(fixture.git(["status", "--porcelain"])).toBe("M a.txt\nM  b.txt");
  expect(await fixture.workspaces.open(request)).toEqual(workspace);
});

test("[R-GIT-4] uncommitted changes without a choice are refused with their names", async () => {
  using fixture = createFixture();
  fixture.write("a.txt", "changed\n");
  await expect(fixture.workspaces.open(fixture.request())).rejects.toMatchObject({
    code: "uncommitted_changes",
    http: 409,
    data: { directory: fixture.repository, changedFiles: ["a.txt"] },
  });
  expect(fixture.git(["for-each-ref", "--format=%(refname)"])).toBe("refs/heads/main");
});

test("[R-GIT-4] uncommitted changes are committed before the loop's branch begins", async () => {
  using fixture = createFixture();
  fixture.write("a.txt", "changed\n");
  fixture.write("new.txt", "new\n");
  const workspace = await fixture.workspaces.open(fixture.request({ handleUncommitted: "commit" }));
  expect(fixture.git(["log", "-1", "--format=%s", "main"])).toBe("[Pre-Ralph] Uncommitted changes");
  expect(workspace.baseSha).toBe(fixture.git(["rev-parse", "main"]));
  expect(readFileSync(join(workspace.directory, "new.txt"), "utf8")).toBe("new\n");
  expect(fixture.git(["status", "--porcelain"])).toBe("");
});

test("[R-GIT-4] when the user's own hook refuses that commit, nothing has changed", async () => {
  using fixture = createFixture();
  fixture.write("a.txt", "changed\n");
  fixture.write("b.txt", "staged\n");
  fixture.git(["add", "b.txt"]);
  mkdirSync(join(fixture.repository, ".git/hooks"), { recursive: true });
  const hook = "#!/bin/sh\necho refused >&2\nexit 1\n";
  writeFileSync(join(fixture.repository, ".git/hooks/pre-commit"), hook, { mode: 0o755 });
  const opening = fixture.workspaces.open(fixture.request({ handleUncommitted: "commit" }));
  await expect(opening).rejects.toMatchObject({ code: "git_failed", message: expect.stringContaining("refused") });
  expect(fixture.git(["status", "--porcelain"])).toBe("M a.txt\nM  b.txt");
});

test("[R-GIT-4] uncommitted changes can be left as they are", async () => {
  using fixture = createFixture();
  fixture.write("a.txt", "changed\n");
  const workspace = await fixture.workspaces.open(fixture.request({ handleUncommitted: "ignore" }));
  expect(readFileSync(join(workspace.directory, "a.txt"), "utf8")).toBe("a\n");
  expect(fixture.git(["status", "--porcelain"])).toBe("M a.txt");
});

test("[R-GIT-7] every folder that cannot be worked in has its fault", async () => {
  using fixture = createFixture();
  const code = (directory: string) =>
    fixture.workspaces.open(fixture.request({ directory })).then(
      () => "opened",
      (error) => error.code,
    );
  const folder = (name: string, ...init: string[]) => {
    const path = join(fixture.folder, name);
    mkdirSync(path);
    if (init.length > 0) fixture.git(init, path);
    return path;
  };
  expect(await code(join(fixture.folder, "none"))).toBe("directory_missing");
  expect(await code(folder("plain"))).toBe("not_a_repository");
  expect(await code(folder("bare", "init", "--quiet", "--bare"))).toBe("bare_repository");
  expect(await code(folder("empty", "init", "--quiet"))).toBe("no_commits");
  fixture.git(["checkout", "--quiet", "--detach"]);
  expect(await code(fixture.repository)).toBe("detached_head");
});

test("[R-RUN-6] fifty loops open at once in one repository, each with a tree and a branch", async () => {
  using fixture = createFixture();
  // Two objects stand for two processes that know nothing of each other.
  const processes = [fixture.workspaces, fixture.again()];
  const opened = await Promise.all(
    Array.from({ length: 50 }, (_, n) => processes[n % 2]?.open(fixture.request({ key: `loop-${n}` }))),
  );
  expect(new Set(opened.map((workspace) => workspace?.workingBranch)).size).toBe(50);
  for (const workspace of opened) {
    if (workspace === undefined) throw new Error("not opened");
    const head = fixture.git(["symbolic-ref", "HEAD"], workspace.directory);
    expect(head).toBe(`refs/heads/${workspace.workingBranch}`);
    expect(fixture.git(["status", "--porcelain"], workspace.directory)).toBe("");
  }
  const saved = await Promise.all(
    opened.map(async (workspace) => {
      if (workspace === undefined) throw new Error("not opened");
      fixture.write("a.txt", workspace.workingBranch, workspace.directory);
      return fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" });
    }),
  );
  expect(saved.map((each) => (each.kind === "made" ? each.warnings : each))).toEqual(saved.map(() => []));
}, 60_000);

test("a repository that is itself a linked worktree can be worked on", async () => {
  using fixture = createFixture();
  const linked = join(fixture.folder, "linked");
  fixture.git(["worktree", "add", "--quiet", "-b", "side", linked]);
  const workspace = await fixture.workspaces.open(fixture.request({ directory: linked }));
  expect(workspace).toMatchObject({ repository: linked, originalBranch: "side" });
  expect(existsSync(join(workspace.directory, "a.txt"))).toBe(true);
});

test("submodules do not keep a loop from opening", async () => {
  using fixture = createFixture();
  const library = join(fixture.folder, "library");
  mkdirSync(library);
  fixture.git(["init", "--quiet"], library);
  fixture.git(["commit", "--quiet", "--allow-empty", "-m", "library"], library);
  fixture.git(["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "lib"]);
  fixture.git(["commit", "--quiet", "-m", "with a library"]);
  const workspace = await fixture.workspaces.open(fixture.request());
  expect(fixture.git(["status", "--porcelain"], workspace.directory)).toBe("");
});

test("a failing post-checkout hook does not keep a loop from opening", async () => {
  using fixture = createFixture();
  mkdirSync(join(fixture.repository, ".git/hooks"), { recursive: true });
  writeFileSync(join(fixture.repository, ".git/hooks/post-checkout"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  const workspace = await fixture.workspaces.open(fixture.request());
  expect(existsSync(join(workspace.directory, "a.txt"))).toBe(true);
});

test("a filter that is not installed does not keep a loop from opening", async () => {
  using fixture = createFixture({ files: { ".gitattributes": "*.bin filter=lfs\n", "x.bin": "pointer\n" } });
  fixture.git(["config", "filter.lfs.required", "true"]);
  fixture.git(["config", "filter.lfs.smudge", "no-such-program smudge -- %f"]);
  const workspace = await fixture.workspaces.open(fixture.request());
  expect(readFileSync(join(workspace.directory, "x.bin"), "utf8")).toBe("pointer\n");
});
