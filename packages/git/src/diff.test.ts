import { expect, test } from "bun:test";
import { chmodSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { FileDiff } from "@ralpher/contract";
import { createFixture } from "./fixture.ts";

const brief = (files: FileDiff[]) =>
  files.map(({ path, oldPath, status, additions, deletions, binary }) =>
    [status, oldPath ?? "", path, additions, deletions, binary ? "binary" : ""].join(" ").replace(/ +/g, " ").trim(),
  );

test("the diff of a loop holds its commits and everything uncommitted, and leaves the index alone", async () => {
  const long = Array.from({ length: 20 }, (_, n) => `line ${n}\n`).join("");
  using fixture = createFixture({ files: { "a.txt": "a\n", "b.txt": "b\n", "old.txt": long, "gone.txt": "x\ny\n" } });
  const workspace = await fixture.workspaces.open(fixture.request());
  const { directory } = workspace;
  fixture.write("a.txt", "a\ncommitted\n", directory);
  await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" });
  fixture.write("b.txt", "not committed\n", directory);
  fixture.git(["mv", "old.txt", "renamed ü.txt"], directory);
  fixture.write("renamed ü.txt", `${long}more\n`, directory);
  fixture.write("new/\n.txt", "untracked\n", directory);
  fixture.write("bin", "\0\u0001", directory);
  rmSync(join(directory, "gone.txt"));
  const before = fixture.git(["status", "--porcelain"], directory);
  const files = await fixture.workspaces.diff(workspace);
  expect(brief(files).sort()).toEqual([
    "added bin 0 0 binary",
    "added new/\n.txt 1 0",
    "deleted gone.txt 0 2",
    "modified a.txt 1 0",
    "modified b.txt 1 1",
    "renamed old.txt renamed ü.txt 1 0",
  ]);
  expect(files.find((file) => file.path === "a.txt")?.patch).toContain("@@ -1 +1,2 @@\n a\n+committed\n");
  expect(files.find((file) => file.path === "gone.txt")?.patch).toStartWith("diff --git a/gone.txt b/gone.txt\n");
  expect(files.find((file) => file.path === "bin")?.patch).toBeUndefined();
  expect(fixture.git(["status", "--porcelain"], directory)).toBe(before);
});

test("what an agent's own merge of the original branch brought is not the loop's", async () => {
  using fixture = createFixture({ files: { "a.txt": "a\n" } });
  const workspace = await fixture.workspaces.open(fixture.request());
  const { directory } = workspace;
  fixture.write("mine.txt", "mine\n", directory);
  await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" });
  fixture.write("theirs.txt", "theirs\n");
  fixture.git(["add", "-A"]);
  fixture.git(["commit", "-q", "-m", "meanwhile"]);
  fixture.git(["merge", "-q", "--no-edit", workspace.originalBranch], directory);
  expect(brief(await fixture.workspaces.diff(workspace))).toEqual(["added mine.txt 1 0"]);
  // Once it is merged, what the loop did is still to be seen.
  await fixture.workspaces.accept(workspace, "accept");
  expect(brief(await fixture.workspaces.diff(workspace)).at(0)).toBe("added mine.txt 1 0");
});

test("a change made in the same instant as the index is seen", async () => {
  using fixture = createFixture();
  const { directory, ...rest } = await fixture.workspaces.open(fixture.request());
  // What git compares is now the same before and after the change: size and second.
  fixture.git(["config", "core.checkStat", "minimal"]);
  fixture.git(["config", "core.trustctime", "false"]);
  const second = 1_700_000_000;
  const age = (path: string) => utimesSync(path, second, second);
  age(join(directory, "a.txt"));
  fixture.git(["update-index", "--refresh"], directory);
  age(fixture.git(["rev-parse", "--git-path", "index"], directory));
  fixture.write("a.txt", "b\n", directory);
  age(join(directory, "a.txt"));
  expect(brief(await fixture.workspaces.diff({ directory, ...rest }))).toEqual(["modified a.txt 1 1"]);
});

test("the diff does not depend on the user's settings for diffs", async () => {
  using fixture = createFixture();
  fixture.write(".git/order", "b.txt\n");
  const settings = {
    "diff.noprefix": "true",
    "diff.external": "false",
    "color.ui": "always",
    "diff.mnemonicPrefix": "true",
    "diff.orderFile": ".git/order",
    "diff.renames": "false",
  };
  for (const [name, value] of Object.entries(settings)) fixture.git(["config", name, value]);
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.git(["mv", "a.txt", "c.txt"], workspace.directory);
  const files = await fixture.workspaces.diff(workspace);
  expect(brief(files)).toEqual(["renamed a.txt c.txt 0 0"]);
  expect(files[0]?.patch).toStartWith("diff --git a/a.txt b/c.txt\n");
});

test("a changed kind, a changed mode and a tricky name keep their own patches", async () => {
  using fixture = createFixture({ files: { "a.txt": "a\n", "b.txt": "b\n", "c.sh": "c\n", "z.txt": "z\n" } });
  const workspace = await fixture.workspaces.open(fixture.request());
  const { directory } = workspace;
  rmSync(join(directory, "b.txt"));
  symlinkSync("a.txt", join(directory, "b.txt"));
  chmodSync(join(directory, "c.sh"), 0o755);
  fixture.write("z.txt", "changed\n", directory);
  const files = await fixture.workspaces.diff(workspace);
  expect(files.map((file) => [file.path, file.status])).toEqual([
    ["b.txt", "modified"],
    ["c.sh", "modified"],
    ["z.txt", "modified"],
  ]);
  expect(files[1]?.patch).toContain("new mode 100755");
  expect(files[2]?.patch).toContain("+changed");

  fixture.write("x\ndiff --git a/z.txt b/z.txt", "sly\n", directory);
  const sly = await fixture.workspaces.diff(workspace);
  expect(sly).toHaveLength(4);
  expect(sly.find((file) => file.path === "z.txt")?.patch ?? "").not.toContain("sly");
});

test("a patch above a megabyte is left out, its counts are not", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.write("big.txt", "0123456789\n".repeat(200_000), workspace.directory);
  fixture.write("small.txt", "x\n", workspace.directory);
  const files = await fixture.workspaces.diff(workspace);
  expect(files.map((file) => [file.path, file.additions, file.patch !== undefined])).toEqual([
    ["big.txt", 200_000, false],
    ["small.txt", 1, true],
  ]);
});

test("a diff of many large files is cut off, and still lists every file", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  for (let n = 0; n < 45; n++) fixture.write(`f${n}.txt`, `${n} 0123456789\n`.repeat(65_000), workspace.directory);
  const files = await fixture.workspaces.diff(workspace);
  expect(files).toHaveLength(45);
  const patches = files.flatMap((file) => file.patch ?? []);
  expect(patches.length).toBeGreaterThan(10);
  expect(patches.join("").length).toBeLessThanOrEqual(20 * 1024 * 1024);
  expect(files.at(-1)?.additions).toBe(65_000);
});

test("one commit is compared with its first parent, the first of all with nothing", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  for (const text of ["one\n", "two\n"]) {
    fixture.write("a.txt", text, workspace.directory);
    const since = fixture.git(["rev-parse", "ralph/work"]);
    await fixture.workspaces.save({ workspace, since, message: text });
  }
  const commit = fixture.git(["rev-parse", "ralph/work"]);
  const files = await fixture.workspaces.diff(workspace, { commit });
  expect(brief(files)).toEqual(["modified a.txt 1 1"]);
  expect(files[0]?.patch).toContain("-one\n+two\n");
  const first = await fixture.workspaces.diff(workspace, { commit: workspace.baseSha.slice(0, 8) });
  expect(brief(first)).toEqual(["added a.txt 1 0", "added b.txt 1 0"]);
  for (const unknown of ["0".repeat(40), "--output=x", "main"]) {
    await expect(fixture.workspaces.diff(workspace, { commit: unknown })).rejects.toMatchObject({ code: "not_found" });
  }
});

test("the diff of a closed or accepted loop is that of its branch", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.write("a.txt", "changed\n", workspace.directory);
  await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" });
  await fixture.workspaces.accept(workspace, "merge");
  await fixture.workspaces.close(workspace);
  expect(brief(await fixture.workspaces.diff(workspace))).toEqual(["modified a.txt 1 1"]);
  await fixture.workspaces.discard(workspace);
  await expect(fixture.workspaces.diff(workspace)).rejects.toMatchObject({ code: "branch_missing" });
});

test("in place, the diff has the user's folder in it only while it is on the loop's branch", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request({ isolation: "checkout" }));
  fixture.write("a.txt", "changed\n");
  expect(brief(await fixture.workspaces.diff(workspace))).toEqual(["modified a.txt 1 1"]);
  fixture.git(["checkout", "--quiet", "main"]);
  expect(await fixture.workspaces.diff(workspace)).toEqual([]);
});

test("a line of commits is compared with what was before its first", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  const heads: string[] = [];
  for (const name of ["one", "two", "three", "four"]) {
    fixture.write(name, `${name}\n`, workspace.directory);
    const since = heads.at(-1) ?? workspace.baseSha;
    heads.push((await fixture.workspaces.save({ workspace, since, message: name })).head);
  }
  const [, first = "", last = ""] = heads;
  expect(brief(await fixture.workspaces.diff(workspace, { first, last }))).toEqual([
    "added three 1 0",
    "added two 1 0",
  ]);
  expect(brief(await fixture.workspaces.diff(workspace, { first, last: first }))).toEqual(["added two 1 0"]);
  const unknown = fixture.workspaces.diff(workspace, { first, last: "--output=x" });
  await expect(unknown).rejects.toMatchObject({ code: "not_found" });
});

test("of one file the patch is whole, a rename stays one, and no other path is looked at", async () => {
  const long = Array.from({ length: 20 }, (_, n) => `line ${n}\n`).join("");
  using fixture = createFixture({ files: { "a.txt": "a\n", "old.txt": long } });
  const workspace = await fixture.workspaces.open(fixture.request());
  const { directory } = workspace;
  fixture.git(["mv", "old.txt", "new[*].txt"], directory);
  fixture.write("new[*].txt", `${long}more\n`, directory);
  fixture.write("new1.txt", "matches the pattern\n", directory);
  fixture.write("huge.txt", "0123456789\n".repeat(150_000), directory);
  const of = (path: string) => fixture.workspaces.diff(workspace, { path });
  const [renamed] = await of("new[*].txt");
  expect(renamed).toMatchObject({ status: "renamed", oldPath: "old.txt", additions: 1 });
  expect(renamed?.patch).toContain("+more\n");
  const all = await fixture.workspaces.diff(workspace);
  expect(all.find(({ path }) => path === "huge.txt")?.patch).toBeUndefined();
  expect((await of("huge.txt"))[0]?.patch?.length).toBeGreaterThan(1_500_000);
  rmSync(join(directory, "a.txt"));
  fixture.write("a.txt/now a folder", "x\n", directory);
  expect(brief(await of("a.txt"))).toEqual(["deleted a.txt 0 1"]);
  for (const none of ["a.txt/", "old.txt", "../secret", "/etc/passwd", "", ".git/config", ":(top)"]) {
    expect(await of(none)).toEqual([]);
  }
});

test("without patches there are none; a blob names the content and changes with it", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  const { directory } = workspace;
  const gone = fixture.git(["rev-parse", "HEAD:b.txt"]);
  fixture.write("a.txt", "changed\n", directory);
  rmSync(join(directory, "b.txt"));
  const look = () => fixture.workspaces.diff(workspace, { patches: false });
  const [a, b] = await look();
  expect([a?.patch, b?.patch]).toEqual([undefined, undefined]);
  expect(brief([a, b].filter((file) => file !== undefined))).toEqual(["modified a.txt 1 1", "deleted b.txt 0 1"]);
  expect(a?.blob).toBe(fixture.git(["hash-object", "a.txt"], directory));
  expect(b?.blob).toBe(gone);
  expect((await fixture.workspaces.diff(workspace))[0]?.blob).toBe(a?.blob ?? "");
  fixture.write("a.txt", "changed again\n", directory);
  expect((await look())[0]?.blob).not.toBe(a?.blob);
});
