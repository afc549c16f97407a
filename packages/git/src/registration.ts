import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { exists, readText } from "./tree.ts";

/** The folder in which git keeps a worktree's HEAD and index, found by where the worktree is; null when unknown. */
export async function findRegistration(commonDir: string, top: string): Promise<string | null> {
  const all = join(commonDir, "worktrees");
  for (const name of await readdir(all).catch(() => [])) {
    const link = await readText(join(all, name, "gitdir"));
    if (link !== null && resolve(all, name, link.trim()) === join(top, ".git")) return join(all, name);
  }
  return null;
}

/** Was the `git worktree add` that made it killed? Nobody has worked there then. */
export async function isHalfMade(registration: string): Promise<boolean> {
  const lock = await readText(join(registration, "locked"));
  return lock?.trim() === "initializing" || !(await exists(join(registration, "HEAD")));
}
