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
}
