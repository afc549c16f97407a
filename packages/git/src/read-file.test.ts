import { expect, test } from "bun:test";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFixture } from "./fixture.ts";

test("a file of the tree is read, and what is not one is null", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  const read = (path: string) => fixture.workspaces.readFile(workspace, path);
  fixture.write(".planning/plan.md", "# Plan ü\n", workspace.directory);
  fixture.write("empty", "", workspace.directory);
  expect(await read(".planning/plan.md")).toBe("# Plan ü\n");
  expect(await read("./.planning/../a.txt")).toBe("a\n");
  expect(await read("empty")).toBe("");
  for (const none of ["none", ".planning", "", ".", "a.txt/x"]) expect(await read(none)).toBeNull();
  const plain = { kind: "plain" as const, directory: fixture.repository };
  expect(await fixture.workspaces.readFile(plain, "b.txt")).toBe("b\n");
  expect(await fixture.workspaces.readFile({ ...plain, directory: "/no/such/folder" }, "b.txt")).toBeNull();
});

test("nothing outside of the tree is read, nor git's own files", async () => {
  using fixture = createFixture();
  const secret = join(fixture.folder, "secret");
  writeFileSync(secret, "secret");
  const plain = { kind: "plain" as const, directory: fixture.repository };
  symlinkSync(secret, join(fixture.repository, "link"));
  symlinkSync(fixture.folder, join(fixture.repository, "up"));
  symlinkSync("a.txt", join(fixture.repository, "inside"));
  symlinkSync(".git", join(fixture.repository, "git"));
  const read = (path: string) => fixture.workspaces.readFile(plain, path);
  for (const path of [
    "../secret",
    secret,
    "link",
    "up/secret",
    "a.txt/../../secret",
    ".git/config",
    "git/config",
    "a\0",
  ]) {
    expect([path, await read(path)]).toEqual([path, null]);
  }
  expect(await read("inside")).toBe("a\n");
});

test("a pipe is not waited for, and of a long file the first two megabytes are read", async () => {
  using fixture = createFixture();
  const plain = { kind: "plain" as const, directory: fixture.repository };
  Bun.spawnSync(["mkfifo", join(fixture.repository, "pipe")]);
  expect(await fixture.workspaces.readFile(plain, "pipe")).toBeNull();
  fixture.write("long", `x${"ü".repeat(1024 * 1024)}`);
  const text = await fixture.workspaces.readFile(plain, "long");
  expect(Buffer.byteLength(text ?? "")).toBe(2 * 1024 * 1024 - 1);
  expect(text).toEndWith("ü");
});

test("without a worktree, a file is read as the loop's branch has it; without a branch there is none", async () => {
  using fixture = createFixture();
  const { workspaces } = fixture;
  const workspace = await workspaces.open(fixture.request());
  const read = () => workspaces.readFile(workspace, "plan.md");
  fixture.write("plan.md", "# Plan\n", workspace.directory);
  await workspaces.save({ workspace, since: workspace.baseSha, message: "plan" });
  await workspaces.close(workspace);
  expect(await read()).toBe("# Plan\n");
  await workspaces.discard(workspace);
  expect(await read()).toBeNull();
  await workspaces.restore(workspace);
  expect(await read()).toBe("# Plan\n");
});

test("in place, a file of the loop's is read though the user went to a branch of theirs", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request({ isolation: "checkout" }));
  fixture.write("plan.md", "# Plan\n");
  await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "plan" });
  fixture.git(["checkout", "--quiet", workspace.originalBranch]);
  expect(await fixture.workspaces.readFile(workspace, "plan.md")).toBe("# Plan\n");
});
