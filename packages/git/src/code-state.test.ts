import { expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CodeState } from "@ralpher/contract";
import { createFixture, type Fixture } from "./fixture.ts";

async function begin(fixture: Fixture) {
  const workspace = await fixture.workspaces.open(fixture.request({ branch: "soda/tool" }));
  return { workspace, tree: workspace.directory };
}

test("[S-CODE-1] [S-CODE-2] the branch, and how many files are staged and not staged", async () => {
  using fixture = createFixture({ files: { ".gitignore": "*.log\n", "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" } });
  const { workspace, tree } = await begin(fixture);
  expect(await fixture.workspaces.codeState(workspace)).toEqual({
    branch: "soda/tool",
    staged: 0,
    unstaged: 0,
    base: workspace.baseSha,
    commits: [],
    commit_count: 0,
    files_changed: [],
    file_count: 0,
    lines_added: 0,
    lines_removed: 0,
    note: null,
  });
  fixture.write("a.txt", "staged, then changed again\n", tree);
  fixture.write("b.txt", "staged\n", tree);
  fixture.git(["add", "a.txt", "b.txt"], tree);
  fixture.write("a.txt", "more\n", tree);
  fixture.write("c.txt", "not staged\n", tree);
  fixture.write("new folder/one.txt", "new\n", tree);
  fixture.write("new folder/ü\ntwo.txt", "new\n", tree);
  fixture.write("x.log", "ignored\n", tree);
  fixture.git(["mv", "b.txt", "moved.txt"], tree);
  expect(await fixture.workspaces.codeState(workspace)).toMatchObject({ branch: "soda/tool", staged: 3, unstaged: 4 });
  expect(fixture.git(["status", "--porcelain"])).toBe("");
});

test("[S-CODE-3] the commits since the base, newest first", async () => {
  using fixture = createFixture();
  const { workspace, tree } = await begin(fixture);
  for (const message of ["one", "two  words\n\nand a body", "drei – ü"]) {
    fixture.git(["commit", "--quiet", "--allow-empty", "-m", message], tree);
  }
  const { commits, commit_count } = await fixture.workspaces.codeState(workspace);
  expect(commits.map(({ message }) => message)).toEqual(["drei – ü", "two  words", "one"]);
  expect(commit_count).toBe(3);
  expect(commits[0]?.hash).toBe(fixture.git(["rev-parse", "HEAD"], tree));
  expect(commits[0]?.timestamp).toBe(
    new Date(Number(fixture.git(["log", "-1", "--format=%ct"], tree)) * 1000).toISOString(),
  );
});

for (const many of [203, 1_003]) {
  test(`[S-CODE-3] of ${many} commits the newest 200 are listed and all are counted`, async () => {
    using fixture = createFixture();
    const { workspace, tree } = await begin(fixture);
    const stream = Array.from(
      { length: many },
      (_, at) =>
        `commit refs/heads/soda/tool\ncommitter A <a@b> ${1_800_000_000 + at} +0000\ndata <<E\nnumber ${at}\nE\n${at === 0 ? "from refs/heads/soda/tool^0\n" : ""}\n`,
    ).join("");
    const made = Bun.spawnSync(["git", "fast-import", "--quiet"], {
      cwd: tree,
      env: fixture.env,
      stdin: Buffer.from(stream),
    });
    expect(made.exitCode).toBe(0);
    const { commits, commit_count } = await fixture.workspaces.codeState(workspace);
    expect([commits.length, commit_count]).toEqual([200, many]);
    expect(commits.at(0)?.message).toBe(`number ${many - 1}`);
    expect(commits.at(-1)?.message).toBe(`number ${many - 200}`);
  });
}

test("[S-CODE-4] [S-CODE-5] the committed changes since the base, with lines added and removed", async () => {
  using fixture = createFixture({ files: { "a.txt": "1\n2\n3\n", "b.txt": "gone\n", "old.txt": "same\n" } });
  const { workspace, tree } = await begin(fixture);
  fixture.write("a.txt", "1\nzwei\n3\n4\n", tree);
  fixture.write("dir/ü\tx.txt", "new\n", tree);
  fixture.write("image.bin", "\0\u0001\u0002", tree);
  fixture.git(["rm", "--quiet", "b.txt"], tree);
  fixture.git(["mv", "old.txt", "renamed.txt"], tree);
  fixture.git(["add", "-A"], tree);
  fixture.git(["commit", "--quiet", "-m", "work"], tree);
  fixture.write("uncommitted.txt", "not counted\n", tree);
  const state = await fixture.workspaces.codeState(workspace);
  expect(state).toMatchObject({ file_count: 6, lines_added: 4, lines_removed: 3, unstaged: 1 });
  expect(state.files_changed).toEqual([
    { path: "a.txt", added: 2, removed: 1 },
    { path: "b.txt", added: 0, removed: 1 },
    { path: "dir/ü\tx.txt", added: 1, removed: 0 },
    { path: "image.bin", added: null, removed: null },
    { path: "old.txt", added: 0, removed: 1 },
    { path: "renamed.txt", added: 1, removed: 0 },
  ]);
  expect(CodeState.parse(state)).toEqual(state);
});

test("[S-CODE-4] of many files the first 500 are listed; count and sums are of all", async () => {
  using fixture = createFixture();
  const { workspace, tree } = await begin(fixture);
  for (let at = 0; at < 510; at++) fixture.write(`many/${at}.txt`, "one\ntwo\n", tree);
  fixture.git(["add", "-A"], tree);
  fixture.git(["commit", "--quiet", "-m", "many"], tree);
  const state = await fixture.workspaces.codeState(workspace);
  expect([state.files_changed.length, state.file_count, state.lines_added]).toEqual([500, 510, 1_020]);
});

test("[S-CODE-6] a folder without a workspace has no base commit, and one without commits neither", async () => {
  using fixture = createFixture();
  fixture.write("a.txt", "changed\n");
  const state = await fixture.workspaces.codeState({ directory: fixture.repository });
  expect(state).toMatchObject({ branch: "main", unstaged: 1, base: null, commits: [], note: "no base commit" });
  const empty = join(fixture.folder, "empty");
  mkdirSync(empty);
  await expect(fixture.workspaces.codeState({ directory: empty })).rejects.toMatchObject({ code: "not_a_repository" });
  fixture.git(["init", "--quiet", "--initial-branch=trunk"], empty);
  fixture.write("a.txt", "new\n", empty);
  expect(await fixture.workspaces.codeState({ directory: empty })).toMatchObject({
    branch: "trunk",
    unstaged: 1,
    note: "no base commit",
  });
  fixture.git(["checkout", "--quiet", "--detach"]);
  expect(await fixture.workspaces.codeState({ directory: fixture.repository })).toMatchObject({ branch: null });
  const nowhere = { directory: join(fixture.folder, "nowhere") };
  await expect(fixture.workspaces.codeState(nowhere)).rejects.toMatchObject({ code: "directory_missing" });
});

test("[S-CODE-1] of a loop whose worktree is closed the branch tells the rest; a base that is gone is a fault", async () => {
  using fixture = createFixture();
  const { workspace, tree } = await begin(fixture);
  fixture.git(["commit", "--quiet", "--allow-empty", "-m", "work"], tree);
  fixture.write("a.txt", "never saved\n", tree);
  rmSync(join(tree, ".git"));
  expect(await fixture.workspaces.codeState(workspace)).toMatchObject({
    branch: "soda/tool",
    unstaged: 0,
    commit_count: 1,
  });
  await fixture.workspaces.close(workspace);
  expect(await fixture.workspaces.codeState(workspace)).toMatchObject({
    branch: "soda/tool",
    unstaged: 0,
    commit_count: 1,
  });
  const baseSha = "0123456789012345678901234567890123456789";
  await expect(fixture.workspaces.codeState({ ...workspace, baseSha })).rejects.toMatchObject({ code: "git_failed" });
});

test("[S-PERF-1] three processes of git, side by side, tell all of it", async () => {
  using fixture = createFixture();
  const { workspace } = await begin(fixture);
  const log = join(fixture.folder, "calls");
  fixture.write("counting-git", `#!/bin/sh\necho x >> '${log}'\nexec git "$@"\n`, fixture.folder);
  const git = join(fixture.folder, "counting-git");
  Bun.spawnSync(["chmod", "+x", git]);
  await fixture.again({ git }).codeState(workspace);
  expect(await Bun.file(log).text()).toBe("x\n".repeat(3));
});
