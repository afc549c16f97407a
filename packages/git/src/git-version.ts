import { Fault, isFault } from "@ralpher/contract";
import { createGit, type Git } from "./run-git.ts";

/** The oldest git that has everything this room uses. */
export const oldestGit = "2.30";

/** Git's version and where it is, or null when there is none. For `doctor`. */
export async function gitVersion(git = "git"): Promise<{ version: string; path: string } | null> {
  const path = Bun.which(git);
  if (path === null) return null;
  try {
    return { version: await askVersion(createGit({ git: path })), path };
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  }
}

/** Git's version, e.g. `2.39.5`. @throws Fault `git_missing`, `git_failed` */
export async function askVersion(git: Git): Promise<string> {
  const said = await git.output(["version"], { cwd: "/" });
  // "git version 2.39.5 (Apple Git-154)", "git version 2.45.1.windows.1"
  return /\d+(\.\d+)+/.exec(said)?.[0] ?? "0";
}

/** @throws Fault `git_too_old` */
export function requireVersion(version: string): void {
  if (!isAtLeast(version, oldestGit)) throw new Fault("git_too_old", { version, needed: oldestGit });
}

/** Is `version` the same as `wanted` or newer? Compares major and minor only. */
export function isAtLeast(version: string, wanted: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = wanted.split(".").map(Number);
  return major !== wantedMajor ? major > wantedMajor : minor >= wantedMinor;
}
