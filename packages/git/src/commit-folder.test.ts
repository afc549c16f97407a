import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFixture, type Fixture } from "./fixture.ts";

/** A repository with a vault in a subfolder. */
function stage(files: Record<string, string> = {}): Fixture & { vault: string } {
  const fixture = createFixture({ files: { "a.txt": "a\n", "vault/Specs/t.md": "- [ ] one\n", ...files } });
  return { ...fixture, vault: join(fixture.repository, "vault") };
}

async function why(fixture: Fixture, directory: string): Promise<string> {
  const result = await fixture.workspaces.commitFolder(directory, "m");
  if (result.kind !== "refused") throw new Error(`expected a refusal, got ${result.kind}`);
  return result.why;
}

const status = (fixture: Fixture) => fixture.git(["status", "--porcelain=v1"]).split("\n");
const count = (fixture: Fixture) => Number(fixture.git(["rev-list", "--count", "HEAD"]));

function hook(fixture: Fixture, name: string, script: string): void {
  const path = join(fixture.repository, ".git/hooks", name);
  mkdirSync(join(fixture.repository, ".git/hooks"), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

test("all changes below the folder are one commit, and nothing else is", async () => {
  using fixture = stage({ "vault/gone.md": "x\n", "vault-2/b.md": "b\n" });
  fixture.write("vault/Specs/t.md", "- [x] one\n");
  fixture.write("vault/new/ü [1]\n*.md", "new\n");
  rmSync(join(fixture.vault, "gone.md"));
  fixture.write("a.txt", "not staged\n");
  fixture.write("vault-2/b.md", "staged\n");
  fixture.write("vault-2/new.md", "staged new\n");
  fixture.git(["add", "vault-2"]);
  fixture.write("other.txt", "untracked\n");
  const message = "[task] one\n\n# a body that looks like a comment";
  const result = await fixture.workspaces.commitFolder(fixture.vault, message);
  if (result.kind !== "made") throw new Error(result.kind);
  const { commit } = result;
  expect(commit).toMatchObject({ sha: fixture.git(["rev-parse", "main"]), message, filesChanged: 3 });
  expect(commit.timestamp).toBe(new Date(commit.timestamp).toISOString());
  expect(fixture.git(["show", "--format=", "--name-status", "HEAD", "--", ":!vault"])).toBe("");
  expect(fixture.git(["show", "HEAD:vault/new/ü [1]\n*.md"])).toBe("new");
  expect(status(fixture)).toEqual(["M a.txt", "M  vault-2/b.md", "A  vault-2/new.md", "?? other.txt"]);
  expect(count(fixture)).toBe(2);
  expect(await fixture.workspaces.commitFolder(fixture.vault, "again")).toEqual({ kind: "nothing" });
});

test("a vault that is the whole repository, and what was staged in it", async () => {
  using fixture = createFixture();
  fixture.write("a.txt", "staged\n");
  fixture.git(["add", "a.txt"]);
  fixture.write("a.txt", "as it is now\n");
  fixture.write("new.txt", "new\n");
  const result = await fixture.workspaces.commitFolder(fixture.repository, "m");
  expect(result).toMatchObject({ kind: "made", commit: { filesChanged: 2 } });
  expect(fixture.git(["show", "HEAD:a.txt"])).toBe("as it is now");
  expect(status(fixture)).toEqual([""]);
});

test("ignored files and repositories within the folder are in no commit", async () => {
  using fixture = stage({ ".gitignore": ".state/\n" });
  fixture.write("vault/.state/x.json", "{}\n");
  fixture.git(["init", "--quiet", join(fixture.vault, "project")]);
  fixture.write("vault/project/code.ts", "1\n");
  fixture.git(["init", "--quiet", join(fixture.vault, "empty")]);
  expect(await fixture.workspaces.commitFolder(fixture.vault, "m")).toEqual({ kind: "nothing" });
  fixture.git(["add", "-A"], join(fixture.vault, "project"));
  fixture.git(["commit", "--quiet", "-m", "its own"], join(fixture.vault, "project"));
  fixture.write("vault/Specs/new.md", "- [ ] a\n");
  const result = await fixture.workspaces.commitFolder(fixture.vault, "m");
  expect(result).toMatchObject({ kind: "made", commit: { filesChanged: 1 } });
  expect(fixture.git(["ls-files", "vault"]).split("\n")).toEqual(["vault/Specs/new.md", "vault/Specs/t.md"]);
  expect(fixture.git(["status", "--porcelain"], join(fixture.vault, "project"))).toBe("");
});

test("a hook that refuses is not bypassed, and the changes stay as they are", async () => {
  using fixture = stage();
  hook(fixture, "pre-commit", "echo 'no boxes on Sundays' >&2; exit 1");
  fixture.write("vault/Specs/t.md", "- [x] one\n");
  fixture.write("vault/new.md", "new\n");
  fixture.write("vault/half.md", "half\n");
  fixture.git(["add", "vault/half.md"]);
  const before = status(fixture);
  expect(await why(fixture, fixture.vault)).toBe("no boxes on Sundays");
  expect(status(fixture)).toEqual(before);
  expect(count(fixture)).toBe(1);
  hook(fixture, "pre-commit", "exit 0");
  hook(fixture, "commit-msg", "exit 3");
  expect(await why(fixture, fixture.vault)).toBe("it ended with exit code 1");
  hook(fixture, "commit-msg", `echo "Reviewed: no" >> "$1"`);
  const result = await fixture.workspaces.commitFolder(fixture.vault, "m");
  expect(result).toMatchObject({ kind: "made", commit: { message: "m\nReviewed: no", filesChanged: 3 } });
});

test("signing that fails refuses, and is not asked for again", async () => {
  using fixture = stage();
  const asked = join(fixture.folder, "asked");
  const sign = join(fixture.folder, "sign");
  writeFileSync(sign, `#!/bin/sh\necho once >> '${asked}'\nexit 1\n`);
  chmodSync(sign, 0o755);
  fixture.git(["config", "commit.gpgSign", "true"]);
  fixture.git(["config", "gpg.program", sign]);
  fixture.write("vault/new.md", "new\n");
  expect(await why(fixture, fixture.vault)).toContain("failed to sign");
  expect(readFileSync(asked, "utf8")).toBe("once\n");
  expect(status(fixture)).toEqual(["?? vault/new.md"]);
});

test.each(["merge", "cherry-pick", "revert", "rebase"])(
  "while a %s is under way nothing is committed",
  async (what) => {
    using fixture = createFixture({ files: { "a.txt": "a\n", "vault/t.md": "- [ ] one\n" } });
    fixture.git(["switch", "--quiet", "-c", "other"]);
    for (const text of ["theirs 1\n", "theirs 2\n"]) {
      fixture.write("a.txt", text);
      fixture.git(["commit", "--quiet", "-am", text]);
    }
    fixture.git(["switch", "--quiet", "main"]);
    fixture.write("a.txt", "ours\n");
    fixture.git(["commit", "--quiet", "-am", "ours"]);
    const target = what === "revert" ? "other~1" : "other";
    expect(() => fixture.git([what, target])).toThrow();
    fixture.write("vault/t.md", "- [x] one\n");
    const head = fixture.git(["rev-parse", "HEAD"]);
    const before = status(fixture);
    expect(await why(fixture, join(fixture.repository, "vault"))).toStartWith(`a ${what} is under way`);
    expect(fixture.git(["rev-parse", "HEAD"])).toBe(head);
    expect(status(fixture)).toEqual(before);
  },
);

test("a conflict that a stash left elsewhere stays one, and one below the folder refuses", async () => {
  using fixture = createFixture({ files: { "a.txt": "a\n", "vault/t.md": "- [ ] one\n" } });
  const leaveConflict = (path: string) => {
    fixture.write(path, "stashed\n");
    fixture.git(["stash", "--quiet"]);
    fixture.write(path, "newer\n");
    fixture.git(["commit", "--quiet", "-am", "newer"]);
    expect(() => fixture.git(["stash", "pop"])).toThrow();
  };
  const vault = join(fixture.repository, "vault");
  leaveConflict("a.txt");
  fixture.write("vault/new.md", "new\n");
  const result = await fixture.workspaces.commitFolder(vault, "m");
  expect(result).toMatchObject({ kind: "made", commit: { filesChanged: 1 } });
  expect(status(fixture)).toEqual(["UU a.txt"]);
  fixture.git(["reset", "--quiet", "--hard"]);
  leaveConflict("vault/t.md");
  expect(await why(fixture, vault)).toBe("vault/t.md has a conflict that is not resolved");
});

test("on no branch a commit would be lost", async () => {
  using fixture = stage();
  fixture.git(["switch", "--quiet", "--detach"]);
  expect(await fixture.workspaces.commitFolder(fixture.vault, "m")).toEqual({ kind: "nothing" });
  fixture.write("vault/new.md", "new\n");
  expect(await why(fixture, fixture.vault)).toContain("git switch <branch>");
});

test("where there is no checkout there is nothing to commit", async () => {
  using fixture = createFixture();
  const nothing = { kind: "nothing" } as const;
  const plain = join(fixture.folder, "plain");
  mkdirSync(plain);
  expect(await fixture.workspaces.commitFolder(plain, "m")).toEqual(nothing);
  expect(await fixture.workspaces.commitFolder(join(fixture.folder, "none"), "m")).toEqual(nothing);
  fixture.git(["init", "--quiet", "--bare", join(fixture.folder, "bare")]);
  expect(await fixture.workspaces.commitFolder(join(fixture.folder, "bare"), "m")).toEqual(nothing);
  expect(await fixture.workspaces.commitFolder(join(fixture.repository, ".git"), "m")).toEqual(nothing);
});

test("in a repository without commits it is the first, and what is staged elsewhere stays staged", async () => {
  using fixture = createFixture();
  const fresh = join(fixture.folder, "fresh");
  mkdirSync(fresh);
  fixture.git(["init", "--quiet", "--initial-branch=main"], fresh);
  fixture.write("vault/t.md", "- [ ] a\n", fresh);
  fixture.write("mine.txt", "mine\n", fresh);
  fixture.git(["add", "mine.txt"], fresh);
  const result = await fixture.workspaces.commitFolder(join(fresh, "vault"), "first");
  expect(result).toMatchObject({ kind: "made", commit: { message: "first", filesChanged: 1 } });
  expect(fixture.git(["ls-tree", "-r", "--name-only", "main"], fresh)).toBe("vault/t.md");
  expect(fixture.git(["status", "--porcelain"], fresh)).toBe("A  mine.txt");
});

test("whoever git does not know commits as Ralpher", async () => {
  using fixture = stage();
  const { GIT_AUTHOR_NAME, GIT_AUTHOR_EMAIL, GIT_COMMITTER_NAME, GIT_COMMITTER_EMAIL, ...env } = fixture.env;
  fixture.git(["config", "user.useConfigOnly", "true"]);
  fixture.git(["config", "user.name", "Grace"]);
  fixture.write("vault/new.md", "new\n");
  const result = await fixture.again({ env }).commitFolder(fixture.vault, "m");
  expect(result.kind).toBe("made");
  expect(fixture.git(["log", "-1", "--format=%an <%ae>"])).toBe("Grace <ralpher@localhost>");
});

test("calls at the same time are made one after the other, also by two processes", async () => {
  using fixture = stage({ "second/t.md": "t\n" });
  const others = fixture.again();
  const calls = Array.from({ length: 8 }, async (_, nth) => {
    const folder = nth % 2 === 0 ? "vault" : "second";
    fixture.write(`${folder}/${nth}.md`, `${nth}\n`);
    const workspaces = nth < 4 ? fixture.workspaces : others;
    return await workspaces.commitFolder(join(fixture.repository, folder), `step ${nth}`);
  });
  const results = await Promise.all(calls);
  // One may have taken another's file along; none is refused, and none is lost.
  expect(results.filter(({ kind }) => kind === "refused")).toEqual([]);
  expect(status(fixture)).toEqual([""]);
  expect(count(fixture)).toBe(1 + results.filter(({ kind }) => kind === "made").length);
});

test("a lock is waited for; one that stays refuses, and is left to the user", async () => {
  using fixture = stage();
  fixture.write("vault/new.md", "new\n");
  const lock = join(fixture.repository, ".git/index.lock");
  writeFileSync(lock, "");
  expect(await why(fixture, fixture.vault)).toContain("index.lock");
  expect(existsSync(lock)).toBe(true);
  const commit = fixture.workspaces.commitFolder(fixture.vault, "m");
  const holder = Bun.spawn(["sh", "-c", `sleep 0.3; rm '${lock}'`]);
  expect((await commit).kind).toBe("made");
  await holder.exited;
}, 60_000);

test("files and folders that are excepted are left as they are", async () => {
  using fixture = stage({ "vault/Control/config.yaml": "a: 1\n", "vault/Specs/other.md": "- [ ] x\n" });
  fixture.write("vault/Control/config.yaml", "a: 2\n");
  fixture.write("vault/Control/STOP", "");
  fixture.write("vault/Specs/other.md", "- [x] x\n");
  fixture.write("vault/.gitignore", "/Logs/\n");
  fixture.write("vault/Logs/today.log", "");
  const except = ["Control", "Specs/other.md", "missing", "Logs", ".gitignore"];
  expect(await fixture.workspaces.commitFolder(fixture.vault, "m", { except })).toEqual({ kind: "nothing" });
  fixture.write("vault/Specs/t.md", "- [x] one\n");
  fixture.write("vault/new.txt", "");
  const made = await fixture.workspaces.commitFolder(fixture.vault, "m", { except });
  expect(made).toMatchObject({ kind: "made", commit: { filesChanged: 2 } });
  expect(status(fixture)).toEqual([
    "M vault/Control/config.yaml",
    " M vault/Specs/other.md",
    "?? vault/.gitignore",
    "?? vault/Control/STOP",
  ]);
});
