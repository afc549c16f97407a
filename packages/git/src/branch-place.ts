import { gitFault } from "./git-fault.ts";
import { readHead } from "./read-ref.ts";
import type { Git } from "./run-git.ts";
import { isDirectory, type Tree } from "./tree.ts";

const mostTries = 5;

/** The folder a branch is checked out in, or null. The user's checkout comes first. */
export async function findBranchPlace(git: Git, home: Tree, branch: string): Promise<string | null> {
  // Git does not know where the checkout of a separate git folder is; we do.
  if ((await readHead(git, home)).branch === branch) return home.top;
  for (const entry of (await listWorktrees(git, home)).split("\n\n")) {
    const lines = entry.split("\n");
    const folder = lines.find((line) => line.startsWith("worktree "));
    if (folder === undefined || !lines.includes(`branch refs/heads/${branch}`)) continue;
    const path = folder.slice("worktree ".length);
    // Git lists worktrees whose folder was removed by hand until it prunes them.
    if (await isDirectory(path)) return path;
  }
  return null;
}

/** Git fails on a worktree that another process is making at this very moment, so it is asked again. */
async function listWorktrees(git: Git, home: Tree): Promise<string> {
  const args = ["worktree", "list", "--porcelain"];
  for (let tries = 1; ; tries++) {
    const result = await git.run(args, { cwd: home.top });
    if (result.code === 0) return result.stdout;
    if (tries >= mostTries) throw gitFault(args, result, home.top);
    await Bun.sleep(Math.random() * 100 * tries);
  }
}
