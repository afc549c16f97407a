import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createFixture } from "./fixture.ts";

test("[L-MILE-2] a milestone begins from the wanted branch, main, master, or the one that is checked out", async () => {
  using fixture = createFixture();
  const { workspaces, repository } = fixture;
  fixture.git(["checkout", "--quiet", "-b", "feature/x"]);
  expect(await workspaces.baseBranch(repository)).toBe("main");
  expect(await workspaces.baseBranch(repository, "feature/x")).toBe("feature/x");
  fixture.git(["branch", "--quiet", "-m", "main", "master"]);
  fixture.git(["pack-refs", "--all"]);
  expect(await workspaces.baseBranch(repository)).toBe("master");
  fixture.git(["branch", "--quiet", "-D", "master"]);
  expect(await workspaces.baseBranch(repository)).toBe("feature/x");
  await expect(workspaces.baseBranch(repository, "nowhere")).rejects.toMatchObject({ code: "branch_missing" });
  fixture.git(["checkout", "--quiet", "--detach"]);
  await expect(workspaces.baseBranch(repository)).rejects.toMatchObject({ code: "detached_head" });
  await expect(workspaces.baseBranch(fixture.folder)).rejects.toMatchObject({ code: "not_a_repository" });
});

test("[L-MILE-2] a loop begins from another branch than the one that is checked out, and leaves the checkout alone", async () => {
  using fixture = createFixture();
  fixture.git(["checkout", "--quiet", "-b", "feature"]);
  fixture.write("a.txt", "the feature's\n");
  fixture.git(["commit", "--quiet", "-am", "feature"]);
  fixture.write("b.txt", "uncommitted\n");
  const request = fixture.request({ base: "main", branch: "soda/tool" });
  const workspace = await fixture.workspaces.open(request);
  expect(workspace).toMatchObject({ originalBranch: "main", baseSha: fixture.git(["rev-parse", "main"]) });
  expect(readFileSync(join(workspace.directory, "a.txt"), "utf8")).toBe("a\n");
  expect(fixture.git(["status", "--porcelain", "--branch"])).toBe("## feature\n M b.txt");
  expect(fixture.git(["stash", "list"])).toBe("");
  expect(await fixture.again().open(request)).toEqual(workspace);
  fixture.write("c.txt", "c\n", workspace.directory);
  await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "work" });
  expect((await fixture.workspaces.accept(workspace, "merge")).kind).toBe("merged");
  expect(fixture.git(["show", "main:c.txt"])).toBe("c");
  await expect(fixture.workspaces.open({ ...request, key: "loop-2", base: "nowhere" })).rejects.toMatchObject({
    code: "branch_missing",
  });
});

test("[L-MILE-2] changes in a checkout that is on the base are asked about as ever", async () => {
  using fixture = createFixture();
  fixture.write("b.txt", "uncommitted\n");
  const request = fixture.request({ base: "main" });
  await expect(fixture.workspaces.open(request)).rejects.toMatchObject({ code: "uncommitted_changes" });
  const workspace = await fixture.workspaces.open({ ...request, handleUncommitted: "commit" });
  expect(readFileSync(join(workspace.directory, "b.txt"), "utf8")).toBe("uncommitted\n");
});

test("[L-MILE-2] a checkout without a branch is no obstacle when the base is named", async () => {
  using fixture = createFixture();
  fixture.git(["checkout", "--quiet", "--detach"]);
  expect(await fixture.workspaces.open(fixture.request({ base: "main" }))).toMatchObject({ originalBranch: "main" });
});

test("[L-MILE-2] in place, another base than the branch that is checked out is refused", async () => {
  using fixture = createFixture();
  fixture.git(["checkout", "--quiet", "-b", "feature"]);
  const request = fixture.request({ isolation: "checkout", base: "main" });
  await expect(fixture.workspaces.open(request)).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining('Run "git switch main"'),
  });
  expect(fixture.git(["symbolic-ref", "--short", "HEAD"])).toBe("feature");
  expect(await fixture.workspaces.open({ ...request, base: "feature" })).toMatchObject({ originalBranch: "feature" });
});

test("[L-MILE-3] a milestone branch whose name is taken gets a number", async () => {
  using fixture = createFixture();
  fixture.git(["branch", "soda/tool"]);
  const workspace = await fixture.workspaces.open(fixture.request({ base: "main", branch: "soda/tool" }));
  expect(workspace.workingBranch).toBe("soda/tool-2");
});

for (const handleUncommitted of [null, "commit", "stash"] as const) {
  test(`changes to files of ours are nobody's question, and stay as they are (${handleUncommitted})`, async () => {
    using fixture = createFixture({ files: { "app/Sodafile": "spec\n", "app/a.txt": "a\n", "b.txt": "b\n" } });
    const directory = join(fixture.repository, "app");
    fixture.write("app/.soda-id", "id\n");
    fixture.write("app/Sodafile", "better spec\n");
    fixture.git(["add", "app/Sodafile"]);
    const request = fixture.request({ directory, own: [".soda-id", "Sodafile", "none"], handleUncommitted });
    const untouched = () => {
      expect(fixture.git(["status", "--porcelain", "--", "app/.soda-id", "app/Sodafile"]).split("\n").sort()).toEqual([
        "?? app/.soda-id",
        handleUncommitted === null ? "M  app/Sodafile" : " M app/Sodafile".trim(),
      ]);
      expect(readFileSync(join(directory, "Sodafile"), "utf8")).toBe("better spec\n");
    };
    if (handleUncommitted !== null) {
      fixture.write("b.txt", "changed\n");
      fixture.write("new/c.txt", "new\n");
      await expect(fixture.workspaces.open({ ...request, handleUncommitted: null })).rejects.toMatchObject({
        data: { changedFiles: ["b.txt", "new/c.txt"] },
      });
    }
    const workspace = await fixture.workspaces.open(request);
    untouched();
    expect(fixture.git(["show", "main:app/Sodafile"])).toBe("spec");
    if (handleUncommitted === "commit") {
      expect(fixture.git(["show", "--format=", "--name-only", "main"]).split("\n")).toEqual(["b.txt", "new/c.txt"]);
    }
    if (handleUncommitted === "stash") {
      expect(readFileSync(join(fixture.repository, "b.txt"), "utf8")).toBe("b\n");
      expect(await fixture.workspaces.restoreStash(workspace)).toBe("restored");
      expect(readFileSync(join(fixture.repository, "new/c.txt"), "utf8")).toBe("new\n");
      untouched();
    }
  });
}
