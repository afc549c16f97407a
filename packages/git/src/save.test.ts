import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GitWorkspace, Saved } from "@ralpher/contract";
import { createFixture, type Fixture } from "./fixture.ts";

const start = async (fixture: Fixture): Promise<GitWorkspace> => fixture.workspaces.open(fixture.request());
const made = (saved: Saved) => {
  if (saved.kind !== "made") throw new Error(`expected commits, got ${saved.kind}`);
  return saved;
};

/** A git that writes each call into a file before it does it. */
function countingGit(fixture: Fixture): { git: string; calls: () => string[] } {
  const log = join(fixture.folder, "calls");
  const git = join(fixture.folder, "counting-git");
  writeFileSync(git, `#!/bin/sh\necho "$*" >> '${log}'\nexec git "$@"\n`);
  chmodSync(git, 0o755);
  return { git, calls: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []) };
}

test("[R-GIT-2] one commit holds all changes of an iteration", async () => {
  using fixture = createFixture();
  const workspace = await start(fixture);
  const { directory } = workspace;
  fixture.write("a.txt", "changed\n", directory);
  fixture.write("new/c.txt", "c\n", directory);
  rmSync(join(directory, "b.txt"));
  const message = "[Ralph] Iteration 1: did things\n\n# a body that looks like a comment";
  const saved = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message }));
  expect(saved.commits).toHaveLength(1);
  expect(saved.commits[0]).toMatchObject({ sha: saved.head, message, filesChanged: 3 });
  expect(saved.commits[0]?.timestamp).toBe(new Date(saved.commits[0]?.timestamp ?? "").toISOString());
  expect(saved.warnings).toEqual([]);
  expect(fixture.git(["rev-parse", "ralph/work"])).toBe(saved.head);
  expect(fixture.git(["rev-parse", "ralph/work~1"])).toBe(workspace.baseSha);
  expect(fixture.git(["status", "--porcelain"], directory)).toBe("");
  expect(fixture.git(["rev-parse", "main"])).toBe(workspace.baseSha);
});

test("[R-GIT-2] nothing changed makes no commit", async () => {
  using fixture = createFixture();
  const workspace = await start(fixture);
  const since = workspace.baseSha;
  expect(await fixture.workspaces.save({ workspace, since, message: "m" })).toEqual({ kind: "nothing", head: since });
  expect(fixture.git(["rev-parse", "ralph/work"])).toBe(since);
});

test("[R-GIT-2] saving takes two git processes, and three when the agent has committed", async () => {
  using fixture = createFixture();
  const workspace = await start(fixture);
  const counting = countingGit(fixture);
  const workspaces = fixture.again({ git: counting.git });
  const verbs = () => counting.calls().map((call) => / (add|commit|log|\S*ref\S*) /.exec(`${call} `)?.[1]);

  fixture.write("a.txt", "1\n", workspace.directory);
  const first = made(await workspaces.save({ workspace, since: workspace.baseSha, message: "one" }));
  expect(verbs()).toEqual(["add", "commit"]);

  await workspaces.save({ workspace, since: first.head, message: "none" });
  expect(verbs().slice(2)).toEqual(["add", "commit"]);

  fixture.write("a.txt", "2\n", workspace.directory);
  fixture.git(["commit", "--quiet", "-am", "the agent's"], workspace.directory);
  fixture.write("a.txt", "3\n", workspace.directory);
  const last = made(await workspaces.save({ workspace, since: first.head, message: "ours" }));
  expect(verbs().slice(4)).toEqual(["log", "add", "commit"]);
  expect(last.commits.map((commit) => [commit.message, commit.filesChanged])).toEqual([
    ["the agent's", 1],
    ["ours", 1],
  ]);
});

test("the agent's own commits are listed, oldest first, when nothing else is left to commit", async () => {
  using fixture = createFixture();
  const workspace = await start(fixture);
  for (const text of ["one", "two"]) {
    fixture.write("a.txt", text, workspace.directory);
    fixture.write(`${text} ü\n.txt`, text, workspace.directory);
    fixture.git(["add", "-A"], workspace.directory);
    fixture.git(["commit", "--quiet", "-m", text], workspace.directory);
  }
  const saved = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" }));
  expect(saved.commits.map((commit) => [commit.message, commit.filesChanged])).toEqual([
    ["one", 2],
    ["two", 2],
  ]);
  expect(saved.head).toBe(fixture.git(["rev-parse", "ralph/work"]));
});

test("a merge the agent made counts as one commit, a merge it left open is concluded", async () => {
  using fixture = createFixture();
  const workspace = await start(fixture);
  for (const name of ["x", "y"]) {
    fixture.write(`${name}.txt`, name);
    fixture.git(["add", "-A"]);
    fixture.git(["commit", "--quiet", "-m", `main ${name}`]);
  }
  fixture.write("mine.txt", "mine", workspace.directory);
  fixture.git(["add", "-A"], workspace.directory);
  fixture.git(["commit", "--quiet", "-m", "mine"], workspace.directory);
  fixture.git(["merge", "--quiet", "--no-edit", "main~1"], workspace.directory);
  fixture.git(["merge", "--quiet", "--no-commit", "main"], workspace.directory);
  const saved = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "concluded" }));
  expect(saved.commits.map(({ message, filesChanged }) => [message, filesChanged])).toEqual([
    ["mine", 1],
    ["Merge branch 'main' (early part) into ralph/work", 1],
    ["concluded", 1],
  ]);
  expect(fixture.git(["rev-list", "--parents", "-1", saved.head]).split(" ")).toHaveLength(3);
});

test("the working branch is brought along when the agent switched to another branch", async () => {
  using fixture = createFixture();
  const workspace = await start(fixture);
  fixture.git(["checkout", "--quiet", "-b", "feature"], workspace.directory);
  fixture.write("a.txt", "on feature\n", workspace.directory);
  fixture.git(["commit", "--quiet", "-am", "on feature"], workspace.directory);
  fixture.write("b.txt", "not committed\n", workspace.directory);
  const saved = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "ours" }));
  expect(saved.commits.map((commit) => commit.message)).toEqual(["on feature", "ours"]);
  expect(fixture.git(["symbolic-ref", "HEAD"], workspace.directory)).toBe("refs/heads/ralph/work");
  expect(fixture.git(["show", "ralph/work:b.txt"])).toBe("not committed");
  expect(saved.warnings.join()).toContain("feature");
  expect(fixture.git(["for-each-ref", "refs/ralpher/trash"])).toBe("");
});

test("a detached HEAD comes back to the working branch, and a tip left behind is kept", async () => {
  using fixture = createFixture();
  const workspace = await start(fixture);
  fixture.write("a.txt", "first try\n", workspace.directory);
  const first = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "first try" }));
  fixture.git(["checkout", "--quiet", "--detach", workspace.baseSha], workspace.directory);
  fixture.write("a.txt", "second try\n", workspace.directory);
  const second = made(await fixture.workspaces.save({ workspace, since: first.head, message: "second try" }));
  expect(fixture.git(["rev-parse", "ralph/work~1"])).toBe(workspace.baseSha);
  expect(fixture.git(["rev-parse", "ralph/work"])).toBe(second.head);
  expect(fixture.git(["for-each-ref", "--format=%(objectname)", "refs/ralpher/trash/ralph/work"])).toBe(first.head);
  expect(fixture.git(["symbolic-ref", "HEAD"], workspace.directory)).toBe("refs/heads/ralph/work");
});

test("an agent that went back to look at an older commit does not undo the work", async () => {
  using fixture = createFixture();
  const workspace = await start(fixture);
  fixture.write("a.txt", "saved\n", workspace.directory);
  const first = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "one" }));
  fixture.git(["checkout", "--quiet", "--detach", "HEAD~1"], workspace.directory);
  fixture.write("b.txt", "changed while there\n", workspace.directory);
  const second = made(await fixture.workspaces.save({ workspace, since: first.head, message: "two" }));
  expect(fixture.git(["rev-parse", "ralph/work~1"])).toBe(first.head);
  expect(fixture.git(["show", "ralph/work:a.txt", "ralph/work:b.txt"])).toBe("saved\nchanged while there");
  expect(second.warnings).toHaveLength(1);
  expect(fixture.git(["for-each-ref", "refs/ralpher/trash"])).toBe("");
});

test("a commit the agent reset away is kept under a trash ref", async () => {
  using fixture = createFixture();
  const workspace = await start(fixture);
  fixture.write("a.txt", "good\n", workspace.directory);
  const first = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "good" }));
  fixture.git(["reset", "--quiet", "--hard", "HEAD~1"], workspace.directory);
  const saved = made(await fixture.workspaces.save({ workspace, since: first.head, message: "m" }));
  expect(saved).toMatchObject({ head: workspace.baseSha, commits: [] });
  expect(saved.warnings).toHaveLength(1);
  expect(fixture.git(["for-each-ref", "--format=%(objectname)", "refs/ralpher/trash"])).toBe(first.head);
});

test("a working branch the agent deleted is made again", async () => {
  using fixture = createFixture();
  const workspace = await start(fixture);
  fixture.git(["checkout", "--quiet", "--detach"], workspace.directory);
  fixture.git(["branch", "--quiet", "-D", "ralph/work"]);
  fixture.write("a.txt", "more\n", workspace.directory);
  const saved = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" }));
  expect(fixture.git(["rev-parse", "ralph/work"])).toBe(saved.head);
});

test("an orphan branch without commits is left, and its files are committed", async () => {
  using fixture = createFixture();
  const workspace = await start(fixture);
  fixture.git(["checkout", "--quiet", "--orphan", "fresh"], workspace.directory);
  fixture.write("c.txt", "c\n", workspace.directory);
  const saved = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" }));
  expect(fixture.git(["rev-parse", "ralph/work~1"])).toBe(workspace.baseSha);
  expect(saved.commits[0]?.filesChanged).toBe(1);
});

test("a rebase left half done is ended, and its state committed", async () => {
  using fixture = createFixture();
  const workspace = await start(fixture);
  fixture.write("a.txt", "ours\n", workspace.directory);
  const first = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "ours" }));
  fixture.write("a.txt", "theirs\n");
  fixture.git(["commit", "--quiet", "-am", "theirs"]);
  expect(() => fixture.git(["rebase", "--quiet", "main"], workspace.directory)).toThrow();
  const saved = made(await fixture.workspaces.save({ workspace, since: first.head, message: "m" }));
  expect(fixture.git(["status", "--porcelain"], workspace.directory)).toBe("");
  expect(existsSync(fixture.git(["rev-parse", "--git-path", "rebase-merge"], workspace.directory))).toBe(false);
  expect(fixture.git(["rev-parse", "ralph/work"])).toBe(saved.head);
  expect(fixture.git(["for-each-ref", "--format=%(objectname)", "refs/ralpher/trash"])).toBe(first.head);
});

test("all files deleted, odd names, symlinks, and a leading dash are committed", async () => {
  using fixture = createFixture();
  const workspace = await start(fixture);
  const { directory } = workspace;
  rmSync(join(directory, "a.txt"));
  rmSync(join(directory, "b.txt"));
  const names = ["-rf", "line\nbreak", "grüße ☃", "a b'\"$(c)", "dir with space/x"];
  for (const name of names) fixture.write(name, name, directory);
  symlinkSync("/etc/hostname", join(directory, "link"));
  const saved = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "-m dash" }));
  const stored = fixture.git(["ls-tree", "-r", "-z", "--name-only", saved.head]).split("\0").filter(Boolean);
  expect(stored.sort()).toEqual([...names, "link"].sort());
  expect(saved.commits[0]?.message).toBe("-m dash");
});

test("a hook that refuses is bypassed with its words as a warning, and what it changed is taken", async () => {
  using fixture = createFixture();
  const workspace = await start(fixture);
  const hook = join(fixture.repository, ".git/hooks/pre-commit");
  mkdirSync(join(hook, ".."), { recursive: true });
  writeFileSync(hook, '#!/bin/sh\necho formatted > a.txt\necho "lint says no" >&2\nexit 1\n', { mode: 0o755 });
  fixture.write("a.txt", "unformatted\n", workspace.directory);
  const saved = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" }));
  expect(saved.commits).toHaveLength(1);
  expect(saved.warnings).toHaveLength(1);
  expect(saved.warnings[0]).toContain("lint says no");
  expect(fixture.git(["show", "ralph/work:a.txt"])).toBe("formatted");
});

test("a hook that accepts runs, and its changes to the message are told", async () => {
  using fixture = createFixture();
  const workspace = await start(fixture);
  const hook = join(fixture.repository, ".git/hooks/commit-msg");
  mkdirSync(join(hook, ".."), { recursive: true });
  writeFileSync(hook, '#!/bin/sh\necho "Ticket: 7" >> "$1"\n', { mode: 0o755 });
  fixture.write("a.txt", "x\n", workspace.directory);
  const saved = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" }));
  expect(saved.commits[0]?.message).toBe("m\nTicket: 7");
  expect(saved.warnings).toEqual([]);
});

test("a hook that hangs is ended with all it started, and bypassed", async () => {
  using fixture = createFixture();
  const workspace = await start(fixture);
  const hook = join(fixture.repository, ".git/hooks/pre-commit");
  mkdirSync(join(hook, ".."), { recursive: true });
  const pidFile = join(fixture.folder, "pid");
  writeFileSync(hook, `#!/bin/sh\nsleep 600 &\necho $! > '${pidFile}'\nwait\n`, { mode: 0o755 });
  fixture.write("a.txt", "x\n", workspace.directory);
  const workspaces = fixture.again({ timeoutMs: 2_000 });
  const saved = made(await workspaces.save({ workspace, since: workspace.baseSha, message: "m" }));
  expect(saved.warnings[0]).toContain("took too long");
  const pid = Number(readFileSync(pidFile, "utf8"));
  // A killed process stays a zombie until somebody waits for it; it runs no more.
  const state = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.[0] : "Z";
  expect(state).toBe("Z");
});

test("a signature that cannot be made is left out with a warning", async () => {
  using fixture = createFixture();
  const workspace = await start(fixture);
  fixture.git(["config", "commit.gpgSign", "true"]);
  fixture.git(["config", "gpg.program", "false"]);
  fixture.write("a.txt", "x\n", workspace.directory);
  const saved = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" }));
  expect(saved.warnings).toHaveLength(1);
});

test("an author is made up only when git has none", async () => {
  using fixture = createFixture();
  const { GIT_AUTHOR_NAME, GIT_AUTHOR_EMAIL, GIT_COMMITTER_NAME, GIT_COMMITTER_EMAIL, ...env } = fixture.env;
  fixture.git(["config", "user.useConfigOnly", "true"]);
  const workspaces = fixture.again({ env });
  const workspace = await workspaces.open(fixture.request());
  fixture.write("a.txt", "x\n", workspace.directory);
  const first = made(await workspaces.save({ workspace, since: workspace.baseSha, message: "one" }));
  const author = () => fixture.git(["log", "-1", "--format=%an <%ae> %cn <%ce>", "ralph/work"]);
  expect(author()).toBe("Ralpher <ralpher@localhost> Ralpher <ralpher@localhost>");
  expect(first.warnings).toEqual([]);
  fixture.write("a.txt", "y\n", workspace.directory);
  const second = made(await fixture.workspaces.save({ workspace, since: first.head, message: "two" }));
  expect(second.commits).toHaveLength(1);
  expect(author()).toBe("Ada <ada@example.org> Ada <ada@example.org>");
});

test("a lock left by a killed git is removed", async () => {
  using fixture = createFixture();
  const workspace = await start(fixture);
  const inGitDir = (name: string) => fixture.git(["rev-parse", "--git-path", name], workspace.directory);
  writeFileSync(inGitDir("index.lock"), "");
  writeFileSync(inGitDir("HEAD.lock"), "");
  writeFileSync(inGitDir("refs/heads/ralph/work.lock"), "");
  fixture.write("a.txt", "x\n", workspace.directory);
  const saved = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" }));
  expect(saved.commits).toHaveLength(1);
  expect(existsSync(inGitDir("index.lock"))).toBe(false);
});

test("a filter that is not installed does not keep the work from being saved", async () => {
  using fixture = createFixture({ files: { ".gitattributes": "*.bin filter=lfs\n", "a.txt": "a\n" } });
  const workspace = await start(fixture);
  fixture.git(["config", "filter.lfs.required", "true"]);
  fixture.git(["config", "filter.lfs.clean", "no-such-program clean -- %f"]);
  fixture.git(["config", "filter.lfs.process", "no-such-program filter-process"]);
  fixture.write("big.bin", "content\n", workspace.directory);
  fixture.write("a.txt", "changed\n", workspace.directory);
  const saved = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" }));
  expect(saved.commits[0]?.filesChanged).toBe(2);
  expect(saved.warnings).toHaveLength(1);
  expect(fixture.git(["show", "ralph/work:big.bin"])).toBe("content");
});

test("files outside of a sparse checkout are saved too", async () => {
  using fixture = createFixture({ files: { "x/a": "a", "y/b": "b" } });
  fixture.git(["sparse-checkout", "set", "x"]);
  const workspace = await start(fixture);
  fixture.write("y/new", "new", workspace.directory);
  const saved = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" }));
  expect(fixture.git(["ls-tree", "-r", "--name-only", saved.head]).split("\n")).toEqual(["x/a", "y/b", "y/new"]);
  expect(saved.warnings).toEqual([]);
});

test("the folder the agent works in is there again when the agent deleted it", async () => {
  using fixture = createFixture({ files: { "sub/a": "a", "other/b": "b" } });
  const workspace = await fixture.workspaces.open(fixture.request({ directory: join(fixture.repository, "sub") }));
  expect(workspace.directory).toEndWith("/loop-1/sub");
  rmSync(workspace.directory, { recursive: true });
  fixture.write("other/c", "c", join(workspace.directory, ".."));
  const saved = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" }));
  expect(fixture.git(["ls-tree", "-r", "--name-only", saved.head]).split("\n")).toEqual(["other/b", "other/c"]);
  expect(existsSync(workspace.directory)).toBe(true);
});

test("a worktree whose .git the agent removed or replaced is tied to its repository again", async () => {
  using fixture = createFixture();
  const workspace = await start(fixture);
  const { directory } = workspace;
  rmSync(join(directory, ".git"));
  fixture.write("a.txt", "one\n", directory);
  const first = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "one" }));
  expect(first.commits[0]?.filesChanged).toBe(1);

  rmSync(join(directory, ".git"));
  fixture.git(["init", "--quiet"], directory);
  fixture.write("a.txt", "two\n", directory);
  const second = made(await fixture.workspaces.save({ workspace, since: first.head, message: "two" }));
  expect(second.commits[0]?.filesChanged).toBe(1);
  expect(fixture.git(["show", "ralph/work:a.txt"])).toBe("two");

  // Now git's side is gone, and the folder is all there is.
  rmSync(join(fixture.repository, ".git/worktrees"), { recursive: true });
  fixture.write("a.txt", "three\n", directory);
  const third = made(await fixture.workspaces.save({ workspace, since: second.head, message: "three" }));
  expect(third.commits[0]?.filesChanged).toBe(1);
  expect(fixture.git(["show", "ralph/work:a.txt"])).toBe("three");
});

test("a worktree that is gone is a clear fault", async () => {
  using fixture = createFixture();
  const workspace = await start(fixture);
  rmSync(workspace.directory, { recursive: true });
  const saving = fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" });
  await expect(saving).rejects.toMatchObject({ code: "directory_missing" });
});

test("in place, the user's checkout is committed on the working branch", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request({ isolation: "checkout" }));
  fixture.write("a.txt", "in place\n");
  const saved = made(await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" }));
  expect(fixture.git(["rev-parse", "HEAD", "ralph/work"]).split("\n")).toEqual([saved.head, saved.head]);
  expect(fixture.git(["rev-parse", "main"])).toBe(workspace.baseSha);
});
