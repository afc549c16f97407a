import { readFile, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";

/** A checked-out tree and where git keeps what belongs to it. All paths are absolute. */
export interface Tree {
  top: string;
  /** Index and HEAD of this tree: `.git`, or `.git/worktrees/<name>` for a linked one. */
  gitDir: string;
  /** Branches and objects, shared by all trees of the repository. */
  commonDir: string;
}

/** Read what `.git` at the top of a tree points to, without a process. Null when it points to nothing usable. */
export async function findTree(top: string): Promise<Tree | null> {
  const dotGit = join(top, ".git");
  const text = await readText(dotGit);
  const gitDir = text === null ? dotGit : pointedTo(text, top);
  if (gitDir === null || (await readText(join(gitDir, "HEAD"))) === null) return null;
  const common = await readText(join(gitDir, "commondir"));
  return { top, gitDir, commonDir: common === null ? gitDir : resolve(gitDir, common.trim()) };
}

/** Is the tree a linked one, as `git worktree add` makes them? */
export function isLinked(tree: Tree): boolean {
  return dirname(tree.gitDir) === join(tree.commonDir, "worktrees");
}

/** The nearest folder at or above that has such an entry; null when none has. */
export async function findUpwards(from: string, name: string): Promise<string | null> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (await exists(join(folder, name))) return folder;
    if (folder === dirname(folder)) return null;
  }
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

export async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** The text of a file, or null when there is none that can be read. */
export async function readText(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch(() => null);
}

function pointedTo(text: string, top: string): string | null {
  const path = /^gitdir: (.+?)\s*$/s.exec(text)?.[1];
  if (path === undefined) return null;
  return isAbsolute(path) ? path : resolve(top, path);
}
