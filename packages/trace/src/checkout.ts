import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Project } from "@ralpher/contract";
import { readRemote, sanitizeName } from "./project-name.ts";

/** A folder with files of a project: the repository's main checkout, or a worktree of it. */
export interface Checkout {
  /** `path` is the main checkout, also for a worktree. */
  project: Project;
  /** Where this checkout's files are. */
  root: string;
}

/** The checkout that a folder is in, found by walking up to the first `.git`; null outside of any. */
export function findCheckout(directory: string): Checkout | null {
  for (let at = real(directory); ; at = dirname(at)) {
    const git = join(at, ".git");
    if (existsSync(git)) return readCheckout(at, git);
    if (dirname(at) === at) return null;
  }
}

function readCheckout(root: string, git: string): Checkout {
  const common = commonFolder(git);
  // A `.git` file without a common folder is a submodule or a separate git folder. To Trace that is a project of its
  // own without a remote.
  const path = common === null ? root : mainCheckout(common);
  const { id, name } = readRemote(read(join(common ?? git, "config")) ?? "");
  return { project: { id: id ?? path, name: sanitizeName(name ?? basename(path)), path }, root };
}

/** The folder of a worktree's repository; null when this is no worktree. */
function commonFolder(git: string): string | null {
  if (statSync(git).isDirectory()) return null;
  const own = /^gitdir: (.+)$/m.exec(read(git) ?? "")?.[1]?.trim();
  if (own === undefined) return null;
  const gitFolder = resolve(dirname(git), own);
  const common = read(join(gitFolder, "commondir"))?.trim();
  return common === undefined ? null : real(resolve(gitFolder, common));
}

/** The main checkout of a repository; of a bare one the repository itself. */
function mainCheckout(common: string): string {
  if (basename(common) === ".git") return dirname(common);
  const worktree = /^\s*worktree\s*=\s*(.+)$/m.exec(read(join(common, "config")) ?? "")?.[1]?.trim();
  return worktree === undefined ? common : real(resolve(common, worktree));
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
