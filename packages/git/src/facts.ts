import type { GitFacts, GitWorkspace } from "@ralpher/contract";
import { findTop, requireHome } from "./home.ts";
import { readBranch, readRef } from "./read-ref.ts";
import { compareUrl } from "./remote-page.ts";
import { findRemote } from "./remotes.ts";
import { findDiscarded } from "./restore.ts";
import type { Room } from "./room.ts";
import { changedFiles } from "./status.ts";
import { findTree, isLinked, type Tree } from "./tree.ts";
import { isOnLoop } from "./work-branch.ts";

/** Where the loop's branch stands: four processes side by side, none of which talks to a remote. */
export async function facts(room: Room, workspace: GitWorkspace): Promise<GitFacts> {
  const { git } = room;
  const home = await requireHome(workspace);
  const { workingBranch: branch, originalBranch: target } = workspace;
  const [head, targetHead] = await Promise.all([readBranch(git, home, branch), readBranch(git, home, target)]);
  const [{ ahead, behind }, uncommitted, remote, kept] = await Promise.all([
    countApart(room, home, head, targetHead),
    countUncommitted(room, home, workspace),
    findRemote(git, home, workspace),
    head === null ? findDiscarded(room, home, workspace) : null,
  ]);
  const there = remote === null ? null : await readRef(git, home, `refs/remotes/${remote.name}/${branch}`);
  return {
    branch,
    target,
    head,
    targetHead,
    ahead,
    behind,
    uncommitted,
    remote: remote?.name ?? null,
    pushed: head !== null && there === head,
    compareUrl: compareUrl(remote?.page ?? null, branch, target),
    restorable: kept !== null,
  };
}

async function countApart(
  { git }: Room,
  home: Tree,
  head: string | null,
  targetHead: string | null,
): Promise<{ ahead: number; behind: number }> {
  if (head === null || targetHead === null || head === targetHead) return { ahead: 0, behind: 0 };
  const args = ["rev-list", "--left-right", "--count", `${targetHead}...${head}`, "--"];
  const [behind = 0, ahead = 0] = (await git.output(args, { cwd: home.top })).split("\t").map(Number);
  return { ahead, behind };
}

/** Looks only: a tree that the agent tore from its repository is left as it is, and counts as empty. */
async function countUncommitted(room: Room, home: Tree, workspace: GitWorkspace): Promise<number> {
  const top = await findTop(room, workspace);
  const tree = top === null ? null : await findTree(top);
  if (tree === null || (workspace.kind === "worktree" && !isLinked(tree))) return 0;
  if (workspace.kind === "checkout" && !(await isOnLoop(room, home, workspace))) return 0;
  return (await changedFiles(room.git, tree.top)).length;
}
