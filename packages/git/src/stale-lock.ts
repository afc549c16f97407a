import { readdir, readFile, readlink, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { exists, type Tree } from "./tree.ts";

const waitMs = 100;
const waitsForLive = 100;
/** Where processes cannot be looked at, a lock nobody touched for so long counts as left behind. */
const oldMs = 10_000;

/**
 * Remove the locks a killed git left in a tree, so that its work can still be saved. Safe for two reasons: git renames
 * its lock over the file it guards as the last step, so a lock that stays guards nothing; and a lock is removed only
 * when no process is there that could be its owner. A lock with a live owner is waited for, ten seconds at most.
 * Returns true when no lock is left.
 */
export async function clearStaleLocks(tree: Tree, branch: string): Promise<boolean> {
  const locks = [
    join(tree.gitDir, "index.lock"),
    join(tree.gitDir, "HEAD.lock"),
    join(tree.commonDir, `refs/heads/${branch}.lock`),
  ];
  for (const lock of locks) {
    for (let waited = 0; await exists(lock); waited++) {
      const seen = await identityOf(lock);
      if (!(await hasOwner(lock, tree))) {
        // The one that was seen may be gone, and this another's who came while the processes were looked through.
        if (seen !== null && seen === (await identityOf(lock))) await unlink(lock).catch(() => {});
      } else if (waited >= waitsForLive) return false;
      else await Bun.sleep(waitMs);
    }
  }
  return true;
}

/** Which file of this name it is; null when there is none. */
async function identityOf(lock: string): Promise<string | null> {
  const found = await stat(lock, { bigint: true }).catch(() => null);
  return found === null ? null : `${found.ino} ${found.ctimeNs}`;
}

/** Is one of the tree's locks there? */
export async function isLocked(tree: Tree, branch: string): Promise<boolean> {
  const names = [join(tree.gitDir, "index.lock"), join(tree.gitDir, "HEAD.lock")];
  for (const lock of [...names, join(tree.commonDir, `refs/heads/${branch}.lock`)]) {
    if (await exists(lock)) return true;
  }
  return false;
}

async function hasOwner(lock: string, tree: Tree): Promise<boolean> {
  const processes = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  if (processes.length === 0) {
    const touched = await stat(lock).catch(() => null);
    return touched !== null && Date.now() - touched.mtimeMs < oldMs;
  }
  for (const pid of processes) {
    if ((await isGitIn(`/proc/${pid}`, tree)) || (await hasOpen(`/proc/${pid}`, lock))) return true;
  }
  return false;
}

/** A git that waits for a hook or an editor holds its lock without keeping it open; its folder gives it away. */
async function isGitIn(process: string, tree: Tree): Promise<boolean> {
  const name = await readFile(join(process, "comm"), "utf8").catch(() => "");
  if (!name.startsWith("git")) return false;
  // File watchers and credential caches of git live on for days and hold no lock.
  const line = await readFile(join(process, "cmdline"), "utf8").catch(() => "");
  if (line.includes("--daemon")) return false;
  const folder = await readlink(join(process, "cwd")).catch(() => "");
  return [tree.top, tree.gitDir].some((path) => folder === path || folder.startsWith(`${path}/`));
}

async function hasOpen(process: string, lock: string): Promise<boolean> {
  const open = await readdir(join(process, "fd")).catch(() => []);
  for (const descriptor of open) {
    if ((await readlink(join(process, "fd", descriptor)).catch(() => "")) === lock) return true;
  }
  return false;
}
