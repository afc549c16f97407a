import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspaces } from "@ralpher/contract";
import { atEveryCall, killedAt, moments } from "./crash.fixture.ts";
import { createFixture, type Fixture } from "./fixture.ts";

const trash = (fixture: Fixture) =>
  fixture.git(["for-each-ref", "--format=%(objectname)", "refs/ralpher/trash"]).split("\n").filter(Boolean);
const heads = (fixture: Fixture) =>
  fixture.git(["for-each-ref", "--format=%(refname:short)", "refs/heads"]).split("\n");

async function begin(fixture: Fixture, workspaces: Workspaces = fixture.workspaces) {
  const workspace = await workspaces.open(fixture.request());
  fixture.write("a.txt", "the loop's\n", workspace.directory);
  await workspaces.save({ workspace, since: workspace.baseSha, message: "work" });
  return workspace;
}

for (const when of moments) {
  for (const handleUncommitted of when === "before" ? (["stash"] as const) : (["commit", "stash"] as const)) {
    test(`open, killed ${when} any call of git, goes on where it was (${handleUncommitted})`, async () => {
      const calls = await atEveryCall(async (call) => {
        using fixture = createFixture();
        fixture.write("b.txt", "the user's\n");
        fixture.write("new.txt", "the user's\n");
        const request = fixture.request({ handleUncommitted });
        const killed = killedAt(fixture, call, when, "open", [request]);
        const workspace = await fixture.again().open(request);
        expect(heads(fixture)).toEqual(["main", "ralph/work"]);
        expect(workspace.workingBranch).toBe("ralph/work");
        expect(workspace.baseSha).toBe(fixture.git(["rev-parse", "main"]));
        expect(fixture.git(["status", "--porcelain"], workspace.directory)).toBe("");
        expect(fixture.git(["symbolic-ref", "HEAD"], workspace.directory)).toBe("refs/heads/ralph/work");
        if (handleUncommitted === "stash") expect(await fixture.again().restoreStash(workspace)).toBe("restored");
        for (const path of ["b.txt", "new.txt"]) {
          expect(readFileSync(join(fixture.repository, path), "utf8")).toBe("the user's\n");
        }
        return killed;
      });
      expect(calls).toBeGreaterThan(4);
    }, 120_000);
  }

  test(`accept, killed ${when} any call of git, merges once`, async () => {
    const calls = await atEveryCall(async (call) => {
      using fixture = createFixture();
      const workspace = await begin(fixture);
      const killed = killedAt(fixture, call, when, "accept", [workspace, "merge"]);
      const merge = await fixture.again().accept(workspace, "merge");
      expect(merge).toEqual({ kind: "merged", sha: fixture.git(["rev-parse", "main"]) });
      expect(fixture.git(["rev-list", "--merges", "--count", "main"])).toBe("1");
      expect(fixture.git(["status", "--porcelain"])).toBe("");
      expect(readFileSync(join(fixture.repository, "a.txt"), "utf8")).toBe("the loop's\n");
      return killed;
    });
    expect(calls).toBeGreaterThan(3);
  }, 120_000);

  test(`accept with squash, killed ${when} any call of git, makes one commit`, async () => {
    const calls = await atEveryCall(async (call) => {
      using fixture = createFixture();
      const workspace = await begin(fixture);
      const killed = killedAt(fixture, call, when, "accept", [workspace, "all", { squash: true }]);
      const merge = await fixture.again().accept(workspace, "all", { squash: true });
      expect(merge).toEqual({ kind: "merged", sha: fixture.git(["rev-parse", "main"]) });
      expect(fixture.git(["rev-list", "--count", "main"])).toBe("2");
      expect(fixture.git(["status", "--porcelain"])).toBe("");
      expect(readFileSync(join(fixture.repository, "a.txt"), "utf8")).toBe("the loop's\n");
      return killed;
    });
    expect(calls).toBeGreaterThan(3);
  }, 120_000);

  for (const method of ["merge", "rebase"] as const) {
    test(`an update by ${method}, killed ${when} any call of git, is made once`, async () => {
      const calls = await atEveryCall(async (call) => {
        using fixture = createFixture();
        const workspace = await begin(fixture);
        fixture.write("b.txt", "the user's\n");
        fixture.git(["commit", "--quiet", "-am", "the user's"]);
        const before = fixture.git(["rev-parse", "ralph/work"]);
        const killed = killedAt(fixture, call, when, "updateBranch", [workspace, method]);
        // Whoever comes after finds out whether it took place.
        const baseNow = fixture.git(["rev-parse", "main"]);
        const at = fixture.git(["rev-parse", "ralph/work"]);
        const found = at === before ? null : { kind: "updated" as const, method, baseSha: baseNow, head: at };
        expect(await fixture.again().findUpdate(workspace)).toEqual(found);
        const update = await fixture.again().updateBranch(workspace, method);
        const head = fixture.git(["rev-parse", "ralph/work"]);
        expect(update).toEqual({ kind: "updated", baseSha: fixture.git(["rev-parse", "main"]), head });
        expect(fixture.git(["rev-list", "--count", "main..ralph/work"])).toBe(method === "merge" ? "2" : "1");
        expect(fixture.git(["status", "--porcelain"], workspace.directory)).toBe("");
        expect(readFileSync(join(workspace.directory, "b.txt"), "utf8")).toBe("the user's\n");
        return killed;
      });
      expect(calls).toBeGreaterThan(3);
    }, 120_000);
  }

  test(`restore, killed ${when} any call of git, brings all of it back`, async () => {
    const calls = await atEveryCall(async (call) => {
      using fixture = createFixture();
      const workspace = await begin(fixture);
      fixture.write("new.txt", "never saved\n", workspace.directory);
      await fixture.workspaces.discard(workspace);
      const killed = killedAt(fixture, call, when, "restore", [workspace]);
      const head = await fixture.again().restore(workspace);
      expect(fixture.git(["show", `${head}:a.txt`, `${head}:new.txt`])).toBe("the loop's\nnever saved");
      expect(await fixture.again().open(fixture.request())).toEqual(workspace);
      return killed;
    });
    expect(calls).toBeGreaterThan(0);
  }, 120_000);

  test(`discard, killed ${when} any call of git, loses nothing and leaves nothing`, async () => {
    const calls = await atEveryCall(async (call) => {
      using fixture = createFixture();
      const workspace = await begin(fixture);
      fixture.write("new.txt", "never saved\n", workspace.directory);
      const saved = fixture.git(["rev-parse", "ralph/work"]);
      const killed = killedAt(fixture, call, when, "discard", [workspace]);
      await fixture.again().discard(workspace);
      expect(heads(fixture)).toEqual(["main"]);
      expect(readdirSync(fixture.root)).toEqual([]);
      expect(trash(fixture)).toContain(saved);
      const unsaved = trash(fixture).filter((sha) => sha !== saved);
      expect(unsaved.map((sha) => fixture.git(["show", `${sha}:new.txt`]))).toContain("never saved");
      const restored = await fixture.again().restore(workspace);
      expect(fixture.git(["show", `${restored}:new.txt`])).toBe("never saved");
      return killed;
    });
    expect(calls).toBeGreaterThan(4);
  }, 120_000);

  test(`restoring a stash, killed ${when} any call of git, never loses it`, async () => {
    const calls = await atEveryCall(async (call) => {
      using fixture = createFixture();
      fixture.write("b.txt", "the user's\n");
      fixture.write("new.txt", "the user's\n");
      const workspace = await fixture.workspaces.open(fixture.request({ handleUncommitted: "stash" }));
      const killed = killedAt(fixture, call, when, "restoreStash", [workspace]);
      const result = await fixture.again().restoreStash(workspace);
      const there = existsSync(join(fixture.repository, "new.txt"));
      expect(there).toBe(true);
      if (typeof result !== "string") expect(fixture.git(["cat-file", "-t", result.kept])).toBe("commit");
      return killed;
    });
    expect(calls).toBeGreaterThan(4);
  }, 120_000);
}
