import type { Git } from "./run-git.ts";
import type { Tree } from "./tree.ts";

/** The names of all branches. */
export async function listBranches(git: Git, tree: Tree): Promise<Set<string>> {
  const args = ["for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/"];
  const text = await git.output(args, { cwd: tree.top });
  return new Set(text.split("\n").filter((name) => name !== ""));
}
