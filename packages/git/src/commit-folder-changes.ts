import type { Git } from "./run-git.ts";
import type { Tree } from "./tree.ts";

/** What is uncommitted below a folder. Paths from the top of the tree. */
export interface FolderChanges {
  /** How many files, repositories not among them. */
  files: number;
  /** New to git; ignored ones are not. */
  added: string[];
  /** Repositories of their own that git does not know yet. */
  repositories: string[];
  /** Files below the folder that a merge or a stash left with a conflict. */
  conflicts: string[];
}

const args = [
  ...["status", "--porcelain=v2", "-z", "--untracked-files=all", "--ignore-submodules=dirty", "--no-renames"],
  "--",
];

/** Look, change nothing: one process. @throws Fault `git_failed` */
export async function readFolderChanges(git: Git, tree: Tree, spec: readonly string[]): Promise<FolderChanges> {
  const text = await git.output([...args, ...spec], { cwd: tree.top });
  const changes: FolderChanges = { files: 0, added: [], repositories: [], conflicts: [] };
  // `1 .M N... 100644 100644 100644 <id> <id> a b.txt`, `u UU N... <modes> <ids> a.txt`, `? new.txt`, `? other/`
  for (const entry of text.split("\0")) {
    const path = entry.slice(2);
    if (entry.startsWith("? ") && path.endsWith("/")) changes.repositories.push(path);
    else if (entry !== "") changes.files++;
    if (entry.startsWith("? ") && !path.endsWith("/")) changes.added.push(path);
    if (entry.startsWith("u ")) changes.conflicts.push(entry.split(" ").slice(10).join(" "));
  }
  return changes;
}
