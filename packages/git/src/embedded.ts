import { join, resolve } from "node:path";
import type { Git } from "./run-git.ts";
import { exists, readText, type Tree } from "./tree.ts";

/** What to do with repositories inside the tree, each a path from its top. */
export interface Embedded {
  /** A file of each that, once in the index, makes git treat its folder as an ordinary one. */
  openers: Map<string, string>;
  /** Left out of the commit: worktrees of this very repository, and repositories without files. */
  leftOut: string[];
}

/**
 * Find repositories an agent made or cloned inside the tree. Git stores such a folder as a bare pointer, so its files
 * would be in no commit and gone with the worktree. Real submodules (listed in `.gitmodules`) are none of them.
 *
 * @param committed links that commits of the agent already hold
 */
export async function findEmbedded(
  git: Git,
  tree: Tree,
  committed: readonly string[],
  env: Record<string, string>,
): Promise<Embedded> {
  const found: Embedded = { openers: new Map(), leftOut: [] };
  const known = await submodules(git, tree);
  const paths = [...committed, ...(await stagedLinks(git, tree, env)), ...(await unstagedFolders(git, tree, env))];
  for (const path of new Set(paths)) {
    if (known.has(path) || !(await exists(join(tree.top, path, ".git")))) continue;
    const opener = (await isWorktreeOf(tree, path)) ? null : await anyFile(git, join(tree.top, path));
    if (opener === null) found.leftOut.push(path);
    else found.openers.set(path, `${path}/${opener}`);
  }
  return found;
}

/** Put one file of each embedded repository in place of its link. The next `git add -A` takes the others. */
export async function storeAsFiles(git: Git, tree: Tree, found: Embedded, env: Record<string, string>): Promise<void> {
  const call = { cwd: tree.top, env };
  const list = (paths: Iterable<string>) => [...paths].map((path) => `${path}\0`).join("");
  if (found.openers.size > 0) {
    const stdin = list(found.openers.values());
    await git.output(["update-index", "-z", "--add", "--replace", "--stdin"], { ...call, stdin });
  }
  if (found.leftOut.length > 0) {
    await git.output(["update-index", "-z", "--force-remove", "--stdin"], { ...call, stdin: list(found.leftOut) });
  }
}

async function submodules(git: Git, tree: Tree): Promise<Set<string>> {
  if (!(await exists(join(tree.top, ".gitmodules")))) return new Set();
  const args = ["config", "-z", "--file", ".gitmodules", "--get-regexp", "^submodule\\..*\\.path$"];
  const result = await git.run(args, { cwd: tree.top });
  return new Set(result.stdout.split("\0").map((entry) => entry.slice(entry.indexOf("\n") + 1)));
}

async function stagedLinks(git: Git, tree: Tree, env: Record<string, string>): Promise<string[]> {
  const args = ["diff-index", "--cached", "--raw", "-z", "--no-renames", "--ignore-submodules=none", "HEAD"];
  const result = await git.run(args, { cwd: tree.top, env });
  const fields = result.stdout.split("\0");
  return fields.flatMap((field, at) => (/^:(?!160000)\d+ 160000 /.test(field) ? [fields[at + 1] ?? ""] : []));
}

/** Folders git would not add: it refuses a repository without commits. */
async function unstagedFolders(git: Git, tree: Tree, env: Record<string, string>): Promise<string[]> {
  const args = ["ls-files", "-z", "--others", "--directory", "--exclude-standard"];
  const result = await git.run(args, { cwd: tree.top, env });
  return result.stdout
    .split("\0")
    .filter((path) => path.endsWith("/"))
    .map((path) => path.slice(0, -1));
}

async function isWorktreeOf(tree: Tree, path: string): Promise<boolean> {
  const link = await readText(join(tree.top, path, ".git"));
  const target = /^gitdir: (.+)/.exec(link ?? "")?.[1];
  return target !== undefined && resolve(tree.top, path, target.trim()).startsWith(join(tree.commonDir, "worktrees/"));
}

async function anyFile(git: Git, folder: string): Promise<string | null> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const result = await git.run(args, { cwd: folder });
  for (const path of result.stdout.split("\0")) {
    if (path !== "" && !path.endsWith("/") && (await exists(join(folder, path)))) return path;
  }
  return null;
}
