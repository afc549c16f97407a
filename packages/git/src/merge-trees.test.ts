import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { createFixture, type Fixture } from "./fixture.ts";
import { mergeInTree, mergeTrees } from "./merge-trees.ts";
import { createRoom } from "./room.ts";
import { findTree } from "./tree.ts";

/** Branches `ours` and `theirs`, each with one change to its own file or to the same one. */
function diverge(fixture: Fixture, theirFile: string): [string, string] {
  const commit = (branch: string, path: string) => {
    fixture.git(["checkout", "--quiet", "-b", branch, "main"]);
    fixture.write(path, `${branch}\n`);
    fixture.git(["commit", "--quiet", "-am", branch]);
    return fixture.git(["rev-parse", "HEAD"]);
  };
  return [commit("ours", "a.txt"), commit("theirs", theirFile)];
}

for (const merge of [mergeTrees, mergeInTree]) {
  test(`${merge.name} gives the merged tree, or the files that conflict, and leaves nothing behind`, async () => {
    using fixture = createFixture();
    const room = createRoom({ root: fixture.root, env: fixture.env });
    const home = await findTree(fixture.repository);
    if (home === null) throw new Error("no repository");
    const [ours, theirs] = diverge(fixture, "b.txt");
    const clean = await merge(room, home, ours, theirs);
    if (clean.kind !== "clean") throw new Error(clean.kind);
    expect(fixture.git(["show", `${clean.tree}:a.txt`, `${clean.tree}:b.txt`])).toBe("ours\ntheirs");

    fixture.git(["checkout", "--quiet", "main"]);
    fixture.git(["branch", "--quiet", "-D", "ours", "theirs"]);
    const [mine, yours] = diverge(fixture, "a.txt");
    expect(await merge(room, home, mine, yours)).toEqual({ kind: "conflict", files: ["a.txt"] });
    expect(fixture.git(["worktree", "list", "--porcelain"]).match(/^worktree /gm)).toHaveLength(1);
    expect(readdirSync(await room.root())).toEqual([]);
  });

  test(`${merge.name} resolves a conflict in the file of work items, and only in that one`, async () => {
    const item = (id: string, second: number) =>
      `{"id": "${id}", "updated_at": "2026-11-21T21:55:0${second}.000001Z"}\n`;
    const path = ".trace/issues.jsonl";
    using fixture = createFixture({ files: { [path]: item("app-a", 1), "a.txt": "a\n" } });
    const room = createRoom({ root: fixture.root, env: fixture.env });
    const home = await findTree(fixture.repository);
    if (home === null) throw new Error("no repository");
    const commit = (branch: string, files: Record<string, string>) => {
      fixture.git(["checkout", "--quiet", "-B", branch, "main"]);
      for (const [file, text] of Object.entries(files)) fixture.write(file, text);
      fixture.git(["add", "-A"]);
      fixture.git(["commit", "--quiet", "-m", branch]);
      return fixture.git(["rev-parse", "HEAD"]);
    };
    const ours = commit("ours", { [path]: item("app-a", 2) + item("app-b", 1) });
    const theirs = commit("theirs", { [path]: item("app-a", 3) + item("app-c", 1), "a.txt": "theirs\n" });
    const clean = await merge(room, home, ours, theirs);
    if (clean.kind !== "clean") throw new Error(clean.kind);
    expect(fixture.git(["show", `${clean.tree}:${path}`, `${clean.tree}:a.txt`])).toBe(
      `${item("app-a", 3)}${item("app-b", 1)}${item("app-c", 1)}theirs`,
    );
    expect(fixture.git(["status", "--porcelain"])).toBe("");

    const broken = commit("broken", { [path]: "<<<<<<<\n" });
    expect(await merge(room, home, broken, theirs)).toEqual({ kind: "conflict", files: [path] });
    const more = commit("more", { [path]: item("app-a", 4), "a.txt": "ours\n" });
    expect(await merge(room, home, more, theirs)).toEqual({ kind: "conflict", files: [path, "a.txt"] });
    fixture.git(["checkout", "--quiet", "-B", "gone", "main"]);
    fixture.git(["rm", "--quiet", path]);
    fixture.git(["commit", "--quiet", "-m", "gone"]);
    expect(await merge(room, home, "gone", theirs)).toEqual({ kind: "conflict", files: [path] });
    expect(readdirSync(home.gitDir).filter((name) => name.startsWith("ralpher-index"))).toEqual([]);
  });
}
