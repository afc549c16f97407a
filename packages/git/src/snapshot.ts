import { readCommit } from "./read-commit.ts";
import { readHead } from "./read-ref.ts";
import type { Room } from "./room.ts";
import { withScratchIndex } from "./scratch-index.ts";
import { stageAll } from "./stage.ts";
import type { Tree } from "./tree.ts";

/**
 * A commit of the tree as it is now, uncommitted changes included, on top of its HEAD; HEAD itself when there are none;
 * null when there is no HEAD. Moves no branch, runs no hook, leaves the index alone.
 * @throws Fault `git_failed`, `disk_full`
 */
export async function snapshot(room: Room, tree: Tree, message: string): Promise<string | null> {
  const { git } = room;
  const head = (await readHead(git, tree)).sha;
  if (head === null) return null;
  return withScratchIndex(tree, async (env) => {
    const call = { cwd: tree.top, env };
    await stageAll(git, tree, { branch: "", env });
    const now = (await git.output(["write-tree"], call)).trim();
    if (now === (await readCommit(git, tree, head)).tree) return head;
    const config = await room.identity.find(tree.commonDir);
    return (await git.output(["commit-tree", now, "-p", head, "-F", "-"], { ...call, config, stdin: message })).trim();
  });
}
