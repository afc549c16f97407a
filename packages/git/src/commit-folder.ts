import { join, posix } from "node:path";
import { isFault, type SavedCommit } from "@ralpher/contract";
import { type FolderChanges, readFolderChanges } from "./commit-folder-changes.ts";
import { runUnlocked } from "./commit-folder-lock.ts";
import { gitFault } from "./git-fault.ts";
import { countFiles } from "./list-commits.ts";
import { readCommit } from "./read-commit.ts";
import { readHead } from "./read-ref.ts";
import type { Room } from "./room.ts";
import type { GitResult } from "./run-git.ts";
import { type Survey, survey } from "./survey.ts";
import { exists, type Tree } from "./tree.ts";

export type FolderCommit =
  | { kind: "made"; commit: SavedCommit }
  | { kind: "nothing" }
  /** Nobody's changes are touched, nor what they have staged. */
  | { kind: "refused"; why: string };

/**
 * Commit what changed below a folder of the user's own checkout, on the branch that is checked out there. It is the
 * user's branch: their hooks and their signing decide, and nothing is worked around. Repositories within the folder are
 * left to themselves, and so are the files and folders of `except`, by their paths from the folder. @throws Fault `git_missing`, `git_too_old`, `disk_full`
 */
export async function commitFolder(
  room: Room,
  directory: string,
  message: string,
  { except = [] }: { except?: readonly string[] | undefined } = {},
): Promise<FolderCommit> {
  await room.version();
  try {
    const found = await survey(room.git, directory);
    if (found.kind !== "repository" && found.kind !== "no_commits" && found.kind !== "detached") {
      return { kind: "nothing" };
    }
    return await room.mutex.run(found.tree.commonDir, () => commitPlace(room, found, { message, except }));
  } catch (error) {
    if (isFault(error, "git_failed")) return { kind: "refused", why: error.data.detail };
    throw error;
  }
}

type Place = Extract<Survey, { tree: Tree }>;

async function commitPlace(
  room: Room,
  { tree, prefix }: Place,
  { message, except }: { message: string; except: readonly string[] },
): Promise<FolderCommit> {
  // By their names alone: what is in them goes into the commit, and not into the index if that is refused.
  const below = [
    prefix === "" ? ":/" : `:(top,literal)${prefix}`,
    ...except.map((path) => `:(top,exclude,literal)${posix.join(prefix, path)}`),
  ];
  const changes = await readFolderChanges(room.git, tree, below);
  const { files, added, conflicts } = changes;
  if (files === 0) return { kind: "nothing" };
  const { branch } = await readHead(room.git, tree);
  const why = (await underWay(tree)) ?? whyNot(branch, conflicts);
  if (why !== null || branch === null) return { kind: "refused", why: why ?? "it is on no branch" };

  const spec = ["--", ...below, ...changes.repositories.map((path) => `:(top,exclude,literal)${path}`)];
  if (added.length > 0) {
    // One by one: git refuses to add what leaves out a folder that is ignored anyway.
    const args = ["add", "--intent-to-add", ...fromInput];
    const result = await runUnlocked(room.git, tree, branch, args, listed(added));
    if (result.code !== 0) return refused(tree, args, result);
  }
  const result = await commit(room, tree, branch, { spec, message });
  if (result.code !== 0) {
    await forget(room, tree, branch, changes);
    // What a hook put back as it was; only then does git tell the status.
    return result.code === 1 && result.stdout !== "" ? { kind: "nothing" } : refused(tree, ["commit"], result);
  }
  const sha = (await readHead(room.git, tree)).sha ?? "HEAD";
  const made = await readCommit(room.git, tree, sha);
  const filesChanged = await countFiles(room.git, tree, sha);
  return { kind: "made", commit: { sha, message: made.message, timestamp: made.timestamp, filesChanged } };
}

/** `--only`: from the files as they are; what is staged elsewhere is no part of it, and stays staged. */
async function commit(
  room: Room,
  tree: Tree,
  branch: string,
  { spec, message }: { spec: string[]; message: string },
): Promise<GitResult> {
  const args = ["commit", "--only", "--untracked-files=no", "--cleanup=whitespace", "--file=-", ...spec];
  let author = room.identity.known(tree.commonDir);
  const run = () => runUnlocked(room.git, tree, branch, args, { stdin: message, config: author });
  const result = await run();
  if (result.code !== 128 || author.length > 0) return result;
  author = await room.identity.find(tree.commonDir);
  return author.length > 0 ? await run() : result;
}

/** @throws Fault `disk_full` */
function refused(tree: Tree, args: string[], result: GitResult): FolderCommit {
  const fault = gitFault(args, result, tree.top);
  if (!isFault(fault, "git_failed")) throw fault;
  return { kind: "refused", why: fault.data.detail };
}

/** Files that were new are new again, but those that another process has committed meanwhile. */
async function forget(room: Room, tree: Tree, branch: string, { added }: FolderChanges): Promise<void> {
  if (added.length === 0) return;
  await runUnlocked(room.git, tree, branch, ["reset", "--quiet", ...fromInput], listed(added));
}

/** Paths by standard input, however many. */
const fromInput = ["--pathspec-from-file=-", "--pathspec-file-nul"];

function listed(paths: readonly string[]): { stdin: string; env: Record<string, string> } {
  return { stdin: paths.map((path) => `${path}\0`).join(""), env: { GIT_LITERAL_PATHSPECS: "1" } };
}

/** A commit now would be taken for a part of it, or conclude it. */
const underWays: [string, string][] = [
  ["MERGE_HEAD", "a merge is under way; conclude it, or give it up with git merge --abort"],
  ["rebase-merge", "a rebase is under way; go on with it, or give it up with git rebase --abort"],
  ["rebase-apply", "a rebase or git am is under way; go on with it, or give it up with --abort"],
  ["CHERRY_PICK_HEAD", "a cherry-pick is under way; go on with it, or give it up with git cherry-pick --abort"],
  ["REVERT_HEAD", "a revert is under way; go on with it, or give it up with git revert --abort"],
  ["sequencer", "a cherry-pick or revert is under way; go on with it, or give it up with --abort"],
];

async function underWay(tree: Tree): Promise<string | null> {
  for (const [name, why] of underWays) if (await exists(join(tree.gitDir, name))) return why;
  return null;
}

function whyNot(branch: string | null, conflicts: string[]): string | null {
  if (branch === null) return "HEAD is on no branch, so a commit would be lost; run git switch <branch> first";
  if (conflicts.length === 0) return null;
  const [first, ...more] = conflicts;
  return `${first}${more.length === 0 ? " has a conflict that is" : ` and ${more.length} more have conflicts that are`} not resolved`;
}
