import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createFixture, type Fixture } from "./fixture.ts";

const work = "soda/iteration-1";

/** A loop with a commit on the working branch, two on its work branch, and something unsaved. */
async function begin(fixture: Fixture, isolation: "worktree" | "checkout" = "worktree") {
  const request = fixture.request({ isolation, branch: "soda/tool" });
  const workspace = await fixture.workspaces.open(request);
  const tree = workspace.directory;
  fixture.write("a.txt", "milestone\n", tree);
  await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "m" });
  const { branch, base } = await fixture.workspaces.branchOff(workspace, work);
  fixture.write("b.txt", "task\n", tree);
  await fixture.workspaces.saveOn(workspace, branch, { since: base, message: "task" });
  const tip = fixture.git(["rev-parse", branch]);
  fixture.write("new.txt", "unsaved\n", tree);
  return { request, workspace, tree, branch, base, tip };
}

const heads = (fixture: Fixture) =>
  fixture.git(["for-each-ref", "--format=%(refname:short)", "refs/heads"]).split("\n");
const trash = (fixture: Fixture) =>
  fixture.git(["for-each-ref", "--format=%(objectname)", "refs/ralpher/trash"]).split("\n").filter(Boolean);

test("[X-7] of a loop whose tree is on a work branch, the working branch is the truth", async () => {
  using fixture = createFixture();
  const { workspace, base, tip, branch, tree } = await begin(fixture);
  expect((await fixture.workspaces.diff(workspace)).map(({ path }) => path)).toEqual(["a.txt"]);
  expect(await fixture.workspaces.facts(workspace)).toMatchObject({ head: base, ahead: 1, uncommitted: 1 });
  expect(await fixture.workspaces.codeState(workspace)).toMatchObject({ branch, commit_count: 2, unstaged: 1 });
  const saved = await fixture.workspaces.save({ workspace, since: base, message: "rest" });
  expect(saved).toMatchObject({ kind: "made", head: base, commits: [], warnings: [expect.stringContaining(branch)] });
  expect(fixture.git(["rev-parse", "soda/tool", `${branch}~1`])).toBe(`${base}\n${tip}`);
  expect(fixture.git(["status", "--porcelain"], tree)).toBe("");
  expect(await fixture.workspaces.save({ workspace, since: base, message: "rest" })).toEqual({
    kind: "nothing",
    head: base,
  });
  expect((await fixture.workspaces.accept(workspace, "accept")).kind).toBe("merged");
  expect(fixture.git(["ls-tree", "--name-only", "main"])).toBe("a.txt\nb.txt");
  expect(fixture.git(["show", "main:a.txt", "main:b.txt"])).toBe("milestone\nb");
  expect(heads(fixture)).toEqual(["main", work, "soda/tool"]);
});

test("[X-7] in place, accepting and discarding lead from the work branch back to the user's own", async () => {
  for (const verb of ["accept", "discard"] as const) {
    using fixture = createFixture();
    const { workspace, tip } = await begin(fixture, "checkout");
    fixture.git(["clean", "--quiet", "-f"]);
    if (verb === "accept") await fixture.workspaces.accept(workspace, "accept");
    else await fixture.workspaces.discard(workspace);
    expect(fixture.git(["status", "--porcelain", "--branch"])).toBe("## main");
    expect(fixture.git(["show", "main:a.txt", "main:b.txt"])).toBe(verb === "accept" ? "milestone\nb" : "a\nb");
    if (verb === "discard") expect(trash(fixture)).toContain(tip);
  }
});

test("[X-7] closing a loop keeps both branches, and what was unsaved", async () => {
  using fixture = createFixture();
  const { request, workspace, tip, tree } = await begin(fixture);
  await fixture.workspaces.close(workspace);
  expect(heads(fixture)).toEqual(["main", work, "soda/tool"]);
  const [kept = "", ...more] = trash(fixture);
  expect(more).toEqual([]);
  expect(fixture.git(["rev-parse", `${kept}~1`])).toBe(tip);
  expect(fixture.git(["show", `${kept}:new.txt`])).toBe("unsaved");
  await fixture.again().open(request);
  expect(fixture.git(["symbolic-ref", "--short", "HEAD"], tree)).toBe(work);
});

test("[X-7] discarding a loop removes its work branches too; restoring brings all of it back", async () => {
  using fixture = createFixture();
  const { request, workspace, base, tip, tree } = await begin(fixture);
  await fixture.workspaces.discard(workspace);
  expect(heads(fixture)).toEqual(["main"]);
  expect(trash(fixture)).toEqual(expect.arrayContaining([base, tip]));
  await fixture.again().discard(workspace);

  expect(await fixture.again().restore(workspace)).toBe(base);
  expect(fixture.git(["rev-parse", "soda/tool", `${work}~1`])).toBe(`${base}\n${tip}`);
  expect(fixture.git(["for-each-ref", "refs/ralpher/discarded"])).toBe("");
  expect(await fixture.again().restore(workspace)).toBe(base);
  expect(await fixture.again().open(request)).toEqual(workspace);
  expect(fixture.git(["symbolic-ref", "--short", "HEAD"], tree)).toBe(work);
  expect(readFileSync(join(tree, "new.txt"), "utf8")).toBe("unsaved\n");
  expect((await fixture.workspaces.mergeBack(workspace, work, "merge")).kind).toBe("merged");
  await fixture.workspaces.discard(workspace);
  expect(heads(fixture)).toEqual(["main"]);
});

test("[X-7] branches kept because of a conflict are the loop's, and go with it", async () => {
  using fixture = createFixture();
  const { workspace, branch, base, tree } = await begin(fixture);
  fixture.git(["clean", "--quiet", "-f"], tree);
  fixture.write("b.txt", "the human's\n");
  fixture.git(["commit", "--quiet", "-am", "on main"]);
  await fixture.workspaces.updateBranch(workspace, "merge");
  expect((await fixture.workspaces.mergeBack(workspace, branch, "m")).kind).toBe("conflict");
  fixture.git(["checkout", "--quiet", branch]);
  await expect(fixture.workspaces.discard(workspace)).rejects.toMatchObject({ code: "branch_checked_out" });
  expect(heads(fixture)).toEqual(["main", work, "soda/tool"]);
  fixture.git(["checkout", "--quiet", "main"]);
  await fixture.workspaces.discard(workspace);
  expect(heads(fixture)).toEqual(["main"]);
  await fixture.workspaces.restore(workspace);
  expect(heads(fixture)).toEqual(["main", work, "soda/tool"]);
  expect(fixture.git(["merge-base", "soda/tool", branch])).toBe(base);
});

test("[X-7] branches of others, and of other loops, are left alone by a discard", async () => {
  using fixture = createFixture();
  fixture.git(["branch", work]);
  const { workspace, branch } = await begin(fixture);
  const second = await fixture.workspaces.open(fixture.request({ key: "loop-2", branch: "soda/tool" }));
  const other = await fixture.workspaces.branchOff(second, work);
  expect([branch, other.branch]).toEqual([`${work}-2`, `${work}-3`]);
  await fixture.workspaces.discard(workspace);
  expect(heads(fixture)).toEqual(["main", work, `${work}-3`, "soda/tool-2"]);
});
