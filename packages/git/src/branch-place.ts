import { readHead } from "./read-ref.ts";
import type { Git } from "./run-git.ts";
import { isDirectory, type Tree } from "./tree.ts";

/** The folder a branch is checked out in, or null. The user's checkout comes first. */
export async function findBranchPlace(git: Git, home: Tree, branch: string): Promise<string | null> {
  // Git does not know where the checkout of a separate git folder is; we do.
  if ((await readHead(git, home)).branch === branch) return home.top;
  const text = await git.output(["worktree", "list", "--porcelain"], { cwd: home.top });
  for (const entry of text.split("\n\n")) {
    const lines = entry.split("\n");
    const folder = lines.find((line) => line.startsWith("worktree "));
    if (folder === undefined || !lines.includes(`branch refs/heads/${branch}`)) continue;
    const path = folder.slice("worktree ".length);
    // Git lists worktrees whose folder was removed by hand until it prunes them.
    if (await isDirectory(path)) return path;
  }
  return null;
}
