import { rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { findRegistration } from "./registration.ts";
import { removeFolder } from "./remove-folder.ts";
import { asidePrefix, removeWorktree } from "./remove-worktree.ts";
import type { Git } from "./run-git.ts";
import { exists, findTree, isDirectory, type Tree } from "./tree.ts";

/**
 * Tie a worktree's folder to its repository again, without touching a file of the work: the agent removed or replaced
 * its `.git`, or git's record of it is gone. A repository in place of `.git` is moved beside the folder.
 * @throws Fault `git_failed` when git refuses the branch
 */
export async function repairWorktree(git: Git, home: Tree, top: string, branch: string): Promise<Tree> {
  const link = join(top, ".git");
  // A file there only pointed somewhere; a folder is a repository the agent made.
  if (await isDirectory(link)) await rename(link, `${asidePrefix(top)}${Date.now()}`);
  const registration = (await findRegistration(home.commonDir, top)) ?? (await register(git, home, top, branch));
  await writeFile(link, `gitdir: ${registration}\n`);
  const tree = { top, gitDir: registration, commonDir: home.commonDir };
  // A new record has no index yet; this fills it from the branch and leaves the files alone.
  if (!(await exists(join(registration, "index")))) await git.output(["reset", "--quiet"], { cwd: top });
  return tree;
}

/** Let git make a record for an empty worktree elsewhere, then point it at the folder that has the files. */
async function register(git: Git, home: Tree, top: string, branch: string): Promise<string> {
  const elsewhere = join(dirname(top), `.repair-${basename(top)}`);
  await removeWorktree(git, home, elsewhere, branch);
  await git.output(["worktree", "add", "--no-checkout", elsewhere, branch], { cwd: home.top });
  const made = await findTree(elsewhere);
  if (made === null) throw new Error(`git made a worktree without .git at ${elsewhere}`);
  await writeFile(join(made.gitDir, "gitdir"), `${join(top, ".git")}\n`);
  await removeFolder(elsewhere);
  return made.gitDir;
}
