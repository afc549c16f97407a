import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";

/** Where a folder lies in a repository. */
export interface PlaceInRepository {
  /** The folder with what all worktrees share: `info/exclude`, for one. Absolute path. */
  common: string;
  /** From the top of the checkout or worktree to the folder, with slashes; empty at the top. */
  below: string;
}

/** Found by walking up to the first `.git`; null outside of any repository. No git is run. */
export async function findRepository(directory: string): Promise<PlaceInRepository | null> {
  const real = await realpath(directory);
  for (let top = real; ; top = dirname(top)) {
    const common = await commonFolder(join(top, ".git"));
    if (common !== null) return { common, below: relative(top, real).split(sep).join("/") };
    if (dirname(top) === top) return null;
  }
}

async function commonFolder(git: string): Promise<string | null> {
  const found = await stat(git).catch(() => null);
  if (found === null) return null;
  if (found.isDirectory()) return git;
  // A worktree or a submodule says where its own git folder is; a worktree's says which one it shares.
  const own = /^gitdir: (.+)$/m.exec(await readFile(git, "utf8"))?.[1]?.trim();
  if (own === undefined) return null;
  const folder = resolve(dirname(git), own);
  const common = await readFile(join(folder, "commondir"), "utf8").catch(() => "");
  return resolve(folder, common.trim());
}
