import { join } from "node:path";
import { gitFault } from "./git-fault.ts";
import { readBranch, readHead } from "./read-ref.ts";
import type { Git } from "./run-git.ts";
import { keepInTrash, refs } from "./trash.ts";
import { exists, type Tree } from "./tree.ts";
import { type RefChange, updateRefs } from "./update-refs.ts";

/** The working branch, checked out in the tree, is at `head`. */
export interface Attached {
  head: string;
  /** The old tip that now only a trash ref holds. */
  leftBehind: string | null;
  warnings: string[];
}

/**
 * See to it that the tree is on the working branch. When the agent went to another branch or to a bare commit, the
 * working branch is brought there, as `git checkout -B` would, but without touching a file; a tip that is left behind
 * goes to the trash refs. When it only went back to an older commit, the tree goes forward again instead. No process in
 * the ordinary case. @throws Fault `git_failed`
 */
export async function attach(git: Git, tree: Tree, branch: string, since: string): Promise<Attached> {
  const head = await readHead(git, tree);
  if (head.branch === branch && head.sha !== null) return { head: head.sha, leftBehind: null, warnings: [] };

  const warnings = head.branch === null ? await leaveRebase(git, tree) : [];
  const tip = head.branch === branch ? null : await readBranch(git, tree, branch);
  const sha = head.sha ?? tip ?? since;
  const place = head.branch === null ? "a commit without a branch" : `the branch ${head.branch}`;
  if (tip !== null && tip !== sha && (await goForward(git, tree, branch, sha, tip))) {
    warnings.push(`The tree was on ${place}, which is older than ${branch}; it is back on ${branch}.`);
    return { head: tip, leftBehind: null, warnings };
  }
  const changes: RefChange[] = [];
  if (tip !== sha) changes.push({ ref: refs.branch(branch), to: sha, old: tip });
  const leftBehind = tip !== null && !(await isAncestor(git, tree.top, tip, sha)) ? tip : null;
  if (leftBehind !== null) {
    const kept = keepInTrash(branch, leftBehind);
    changes.push(kept);
    warnings.push(`The work of ${branch} up to ${leftBehind.slice(0, 10)} was left behind; ${kept.ref} keeps it.`);
  }
  if (changes.length > 0) {
    const result = await updateRefs(git, tree.top, changes, "follow the tree");
    if (result.code !== 0) throw gitFault(["update-ref"], result, tree.top);
  }
  await git.output(["symbolic-ref", "-m", "ralpher: back on the loop's branch", "HEAD", refs.branch(branch)], {
    cwd: tree.top,
  });
  if (head.branch !== branch) warnings.push(`The tree was on ${place}; ${branch} was brought along.`);
  return { head: sha, leftBehind, warnings };
}

/**
 * The agent went back to look at an older commit and made none there: the branch has all of it and more. Git refuses to
 * go to the branch when that would touch changes made meanwhile.
 */
async function goForward(git: Git, tree: Tree, branch: string, from: string, tip: string): Promise<boolean> {
  if (!(await isAncestor(git, tree.top, from, tip))) return false;
  const args = ["checkout", "--quiet", "--no-overwrite-ignore", branch, "--"];
  return (await git.run(args, { cwd: tree.top })).code === 0;
}

/** Is every commit of `older` in `newer`? */
export async function isAncestor(git: Git, cwd: string, older: string, newer: string): Promise<boolean> {
  if (older === newer) return true;
  const args = ["merge-base", "--is-ancestor", older, newer];
  const result = await git.run(args, { cwd });
  if (result.code === 0 || result.code === 1) return result.code === 0;
  throw gitFault(args, result, cwd);
}

/** A rebase left half done would continue on whatever comes next; its files stay as they are. */
async function leaveRebase(git: Git, tree: Tree): Promise<string[]> {
  const running = ["rebase-merge", "rebase-apply"].map((folder) => exists(join(tree.gitDir, folder)));
  if (!(await Promise.all(running)).includes(true)) return [];
  await git.run(["rebase", "--quit"], { cwd: tree.top });
  return ["A rebase was left half done; it was ended where it stood."];
}
