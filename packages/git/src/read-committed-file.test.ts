import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFixture } from "./fixture.ts";

test("a file is read as a commit has it, with or without a worktree", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.write(".planning/plan.md", "# Plan ü\n", workspace.directory);
  const { head } = await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "plan" });
  fixture.write(".planning/plan.md", "# Another\n", workspace.directory);
  const read = (path: string, commit = head) => fixture.workspaces.readFile(workspace, path, { commit });
  expect(await read(".planning/plan.md")).toBe("# Plan ü\n");
  expect(await read(".planning/plan.md", workspace.baseSha)).toBeNull();
  await fixture.workspaces.close(workspace);
  expect(await read(".planning/plan.md", head.slice(0, 10))).toBe("# Plan ü\n");
  const plain = { kind: "plain" as const, directory: fixture.repository };
  expect(await fixture.workspaces.readFile(plain, "a.txt", { commit: head })).toBeNull();
});

test("of a loop on a subfolder, paths are those of the subfolder", async () => {
  using fixture = createFixture({ files: { "app/plan.md": "app's\n", "plan.md": "top's\n" } });
  const workspace = await fixture.workspaces.open(fixture.request({ directory: join(fixture.repository, "app") }));
  const commit = workspace.baseSha;
  expect(await fixture.workspaces.readFile(workspace, "plan.md", { commit })).toBe("app's\n");
  expect(await fixture.workspaces.readFile(workspace, "../plan.md", { commit })).toBeNull();
});

test("a symlink, a folder and what is outside are no files of a commit", async () => {
  using fixture = createFixture();
  writeFileSync(join(fixture.folder, "secret"), "secret");
  const workspace = await fixture.workspaces.open(fixture.request());
  const { directory } = workspace;
  mkdirSync(join(directory, "folder"));
  fixture.write("folder/only", "x\n", directory);
  symlinkSync(join(fixture.folder, "secret"), join(directory, "link"));
  symlinkSync("a.txt", join(directory, "inside"));
  symlinkSync(fixture.folder, join(directory, "up"));
  const { head } = await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "links" });
  const nothing = ["link", "inside", "up/secret", "up", "folder", "folder/", "../secret", "/etc/passwd", ".git/config"];
  for (const path of [...nothing, "", ".", "none", "a\0", "folder/../..", ":(top)a.txt", "*.txt"]) {
    expect([path, await fixture.workspaces.readFile(workspace, path, { commit: head })]).toEqual([path, null]);
  }
  expect(await fixture.workspaces.readFile(workspace, "./folder/../a.txt", { commit: head })).toBe("a\n");
});

test("what is no text, or larger than a megabyte, is a clear fault; so is a commit that is none", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.write("large", "0123456789".repeat(110_000), workspace.directory);
  fixture.write("binary", "a\0b", workspace.directory);
  fixture.write("mega", "x".repeat(1024 * 1024), workspace.directory);
  const { head } = await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" });
  const read = (path: string, commit = head) => fixture.workspaces.readFile(workspace, path, { commit });
  await expect(read("large")).rejects.toMatchObject({ code: "too_large" });
  await expect(read("binary")).rejects.toMatchObject({ code: "too_large" });
  expect(await read("mega")).toHaveLength(1024 * 1024);
  const blob = fixture.git(["rev-parse", `${head}:mega`]);
  for (const unknown of ["0".repeat(40), "main", "--help", "HEAD", blob]) {
    await expect(read("a.txt", unknown)).rejects.toMatchObject({ code: "not_found" });
  }
});
