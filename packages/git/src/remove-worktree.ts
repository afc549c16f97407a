import { readdir, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { gitFault } from "./git-fault.ts";
import { readBranch, readHead } from "./read-ref.ts";
import { findRegistration } from "./registration.ts";
import { removeFolder } from "./remove-folder.ts";
import type { Git } from "./run-git.ts";
import { keepInTrash } from "./trash.ts";
import type { Tree } from "./tree.ts";
import { updateRefs } from "./update-refs.ts";

/** Where a repository goes that the agent put in place of the worktree's `.git`; a time follows. */
export const asidePrefix = (top: string) => `${top}.git-`;

/**
 * Remove a worktree's folder and git's record of it, in whatever state they are; uncommitted changes go with them. Its
 * HEAD is kept under a trash ref if it is not the branch's tip; without a branch it is not. Idempotent.
 *
 * `git worktree remove` refuses half-made and damaged ones, and `prune` would also forget the user's own worktrees on
 * a disk that is not mounted: so this removes exactly the one entry of `<common>/worktrees`.
 */
export async function removeWorktree(git: Git, home: Tree, top: string, branch: string | null): Promise<void> {
  const registration = await findRegistration(home.commonDir, top);
  if (registration !== null && branch !== null) await keepHead(git, { ...home, gitDir: registration }, branch);
  await removeFolder(top);
  for (const name of await readdir(dirname(top)).catch(() => [])) {
    if (name.startsWith(asidePrefix(basename(top)))) await removeFolder(join(dirname(top), name));
  }
  if (registration === null) return;
  await removeFolder(registration);
  // Git removes the folder of all records with the last one; so it is only gone when it is empty.
  await rmdir(dirname(registration)).catch(() => {});
}

async function keepHead(git: Git, tree: Tree, branch: string): Promise<void> {
  const { sha } = await readHead(git, tree);
  if (sha === null || sha === (await readBranch(git, tree, branch))) return;
  const result = await updateRefs(git, tree.commonDir, [keepInTrash(branch, sha)], "keep the head of a worktree");
  if (result.code !== 0) throw gitFault(["update-ref"], result, tree.commonDir);
}
