import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { GitWorkspace } from "@ralpher/contract";
import { atEveryCall, killedAt, moments } from "./crash.fixture.ts";
import { createFixture, type Fixture } from "./fixture.ts";

const work = "soda/iteration-1";
const longMs = 120_000;

const begin = (fixture: Fixture) => fixture.workspaces.open(fixture.request({ base: "main", branch: "soda/tool" }));

/** With a work branch that has a commit. */
async function beginWork(fixture: Fixture) {
  const workspace = await begin(fixture);
  const { branch, base } = await fixture.workspaces.branchOff(workspace, work);
  fixture.write("a.txt", "the task's\n", workspace.directory);
  await fixture.workspaces.saveOn(workspace, branch, { since: base, message: "task" });
  return { workspace, branch, base, tip: fixture.git(["rev-parse", branch]) };
}

const heads = (fixture: Fixture) =>
  fixture.git(["for-each-ref", "--format=%(refname:short)", "refs/heads"]).split("\n");
const trash = (fixture: Fixture) =>
  fixture.git(["for-each-ref", "--format=%(objectname)", "refs/ralpher/trash"]).split("\n").filter(Boolean);

function expectClean(fixture: Fixture, { directory }: GitWorkspace, branch: string): void {
  expect(fixture.git(["status", "--porcelain", "--branch"], directory)).toBe(`## ${branch}`);
}

for (const when of moments) {
  test(
    `[L-BOOT-2] preparing the ground, killed ${when} any call of git, is done once`,
    async () => {
      const calls = await atEveryCall(async (call) => {
        using fixture = createFixture();
        const folder = join(fixture.folder, "fresh");
        mkdirSync(folder);
        const killed = killedAt(fixture, call, when, "prepareGround", [folder]);
        await fixture.again().prepareGround(folder);
        expect(fixture.git(["log", "--format=%s", "main"], folder)).toBe("Initial commit");
        return killed;
      });
      expect(calls).toBeGreaterThan(5);
    },
    longMs,
  );

  test(
    `[X-1] beginning a work branch, killed ${when} any call of git, makes one`,
    async () => {
      const calls = await atEveryCall(async (call) => {
        using fixture = createFixture();
        const workspace = await begin(fixture);
        const killed = killedAt(fixture, call, when, "branchOff", [workspace, work]);
        expect(await fixture.again().branchOff(workspace, work)).toEqual({ branch: work, base: workspace.baseSha });
        expect(heads(fixture)).toEqual(["main", work, "soda/tool"]);
        expectClean(fixture, workspace, work);
        return killed;
      });
      expect(calls).toBeGreaterThan(3);
    },
    longMs,
  );

  test(
    `[X-5] saving a task's changes, killed ${when} any call of git, makes one commit`,
    async () => {
      const calls = await atEveryCall(async (call) => {
        using fixture = createFixture();
        const { workspace, branch, tip } = await beginWork(fixture);
        fixture.write("b.txt", "more\n", workspace.directory);
        const request = { since: tip, message: "more" };
        const killed = killedAt(fixture, call, when, "saveOn", [workspace, branch, request]);
        const saved = await fixture.again().saveOn(workspace, branch, request);
        expect(saved).toMatchObject({ kind: "made", commits: [{ message: "more", filesChanged: 1 }] });
        expect(fixture.git(["rev-list", "--count", `${tip}..${branch}`])).toBe("1");
        expectClean(fixture, workspace, branch);
        return killed;
      });
      expect(calls).toBe(2);
    },
    longMs,
  );

  for (const meanwhile of when === "before" ? [false] : [false, true]) {
    const name = meanwhile ? "merging back beside somebody's commit" : "merging back";
    test(
      `[X-7] ${name}, killed ${when} any call of git, merges once`,
      async () => {
        const calls = await atEveryCall(async (call) => {
          using fixture = createFixture();
          const { workspace, branch, base, tip } = await beginWork(fixture);
          let ours = base;
          if (meanwhile) {
            fixture.write("b.txt", "the human's\n");
            fixture.git(["commit", "--quiet", "-am", "on main"]);
            ours = fixture.git(["rev-parse", "main"]);
            await fixture.workspaces.updateBranch(workspace, "merge");
          }
          const killed = killedAt(fixture, call, when, "mergeBack", [workspace, branch, "merge"]);
          const merge = await fixture.again().mergeBack(workspace, branch, "merge");
          expect(merge).toEqual({ kind: "merged", sha: fixture.git(["rev-parse", "soda/tool"]) });
          expect(fixture.git(["log", "-1", "--format=%P", "soda/tool"])).toBe(`${ours} ${tip}`);
          expect(heads(fixture)).toEqual(["main", "soda/tool"]);
          expect(fixture.git(["for-each-ref", "refs/ralpher/work", "refs/ralpher/left"])).toBe("");
          expectClean(fixture, workspace, "soda/tool");
          expect(readFileSync(join(workspace.directory, "a.txt"), "utf8")).toBe("the task's\n");
          return killed;
        });
        expect(calls).toBeGreaterThan(8);
      },
      longMs,
    );
  }

  test(
    `[X-7] a merge that conflicts, killed ${when} any call of git, keeps both branches`,
    async () => {
      const calls = await atEveryCall(async (call) => {
        using fixture = createFixture();
        const { workspace, branch, tip } = await beginWork(fixture);
        fixture.write("a.txt", "the human's\n");
        fixture.git(["commit", "--quiet", "-am", "on main"]);
        await fixture.workspaces.updateBranch(workspace, "merge");
        const killed = killedAt(fixture, call, when, "mergeBack", [workspace, branch, "merge"]);
        const merge = await fixture.again().mergeBack(workspace, branch, "merge");
        expect(merge).toEqual({ kind: "conflict", files: ["a.txt"] });
        expect(fixture.git(["rev-parse", "soda/tool", branch])).toBe(`${fixture.git(["rev-parse", "main"])}\n${tip}`);
        expectClean(fixture, workspace, "soda/tool");
        return killed;
      });
      expect(calls).toBeGreaterThan(5);
    },
    longMs,
  );

  test(
    `[X-3] setting aside, killed ${when} any call of git, loses nothing and ends where it began`,
    async () => {
      const calls = await atEveryCall(async (call) => {
        using fixture = createFixture();
        const { workspace, branch, tip } = await beginWork(fixture);
        fixture.write("b.txt", "the agent's own\n", workspace.directory);
        fixture.git(["commit", "--quiet", "-am", "own"], workspace.directory);
        const own = fixture.git(["rev-parse", branch]);
        fixture.write("new/c.txt", "new\n", workspace.directory);
        const request = { since: tip, label: "app-1", message: "set aside" };
        const killed = killedAt(fixture, call, when, "setAside", [workspace, branch, request]);
        const aside = await fixture.again().setAside(workspace, branch, request);
        expect(aside?.ref).toBe("refs/ralpher/aside/loop-1/app-1");
        expect(fixture.git(["show", "--format=%P", "--name-only", aside?.sha ?? ""])).toBe(
          `${tip}\n\nb.txt\nnew/c.txt`,
        );
        expect(trash(fixture)).toContain(own);
        expect(fixture.git(["rev-parse", branch])).toBe(tip);
        expectClean(fixture, workspace, branch);
        return killed;
      });
      expect(calls).toBeGreaterThan(5);
    },
    longMs,
  );

  test(
    `[X-7] discarding and restoring with a work branch, killed ${when} any call of git, lose nothing`,
    async () => {
      const calls = await atEveryCall(async (call) => {
        using fixture = createFixture();
        const { workspace, base, tip } = await beginWork(fixture);
        fixture.write("new.txt", "never saved\n", workspace.directory);
        const killed = killedAt(fixture, call, when, "discard", [workspace]);
        await fixture.again().discard(workspace);
        expect(heads(fixture)).toEqual(["main"]);
        expect(readdirSync(fixture.root)).toEqual([]);
        expect(trash(fixture)).toEqual(expect.arrayContaining([base, tip]));
        // Restoring makes fewer calls; one that was not reached is none that kills.
        killedAt(fixture, call, when, "restore", [workspace]);
        expect(await fixture.again().restore(workspace)).toBe(base);
        expect(fixture.git(["show", `${work}:new.txt`, `${work}:a.txt`])).toBe("never saved\nthe task's");
        expect(fixture.git(["rev-parse", "soda/tool", `${work}~1`])).toBe(`${base}\n${tip}`);
        return killed;
      });
      expect(calls).toBeGreaterThan(8);
    },
    longMs,
  );
}
