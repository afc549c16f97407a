import { realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { Fault, type GitWorkspace } from "@ralpher/contract";
import type { Room } from "./room.ts";
import { findTree, isDirectory, type Tree } from "./tree.ts";

/**
 * The top of a loop's tree, or null when it is a worktree of another root. A loop on a subfolder works in that subfolder,
 * but its commits are of the whole tree.
 */
export async function findTop(room: Room, workspace: GitWorkspace): Promise<string | null> {
  if (workspace.kind === "checkout") return workspace.repository;
  const root = await room.root();
  const key = relative(root, workspace.directory).split(sep)[0];
  return !key || key === ".." ? null : join(root, key);
}

/** The same. @throws Fault `directory_missing` when it is a worktree of another root */
export async function topOf(room: Room, workspace: GitWorkspace): Promise<string> {
  const top = await findTop(room, workspace);
  if (top === null) throw new Fault("directory_missing", { directory: workspace.directory });
  return top;
}

/** The user's checkout. @throws Fault `directory_missing`, `not_a_repository` */
export async function requireHome(workspace: GitWorkspace): Promise<Tree> {
  const home = await findHome(workspace);
  if (home !== null) return home;
  const directory = workspace.repository;
  throw (await isDirectory(directory))
    ? new Fault("not_a_repository", { directory })
    : new Fault("directory_missing", { directory });
}

/** The user's checkout, or null when it is gone. Its common folder is the real path: it names the repository. */
export async function findHome(workspace: GitWorkspace): Promise<Tree | null> {
  const home = await findTree(workspace.repository);
  return home === null ? null : { ...home, commonDir: await realpath(home.commonDir) };
}
