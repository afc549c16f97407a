import type { CodeState, GitWorkspace } from "@ralpher/contract";
import { changedSince, type FilesSince } from "./changed-since.ts";
import { type CommitsSince, commitsSince } from "./commits-since.ts";
import { gitFault } from "./git-fault.ts";
import { findTop, requireHome } from "./home.ts";
import { requireBranch } from "./read-ref.ts";
import { requirePlace } from "./require-place.ts";
import type { Room } from "./room.ts";
import type { Git } from "./run-git.ts";
import { survey } from "./survey.ts";
import { findTree, isLinked } from "./tree.ts";
import { readStatus, type TreeStatus } from "./tree-status.ts";
import { isOnLoop } from "./work-branch.ts";

/**
 * What git says of a tree: three processes side by side, and a fourth when there are a thousand commits. Of a
 * loop without a tree, what its branch says. Reads only.
 * @throws Fault `directory_missing`, `not_a_repository`, `branch_missing`, `git_failed`
 */
export async function codeState(
  room: Room,
  of: GitWorkspace | { directory: string },
  { historyAfter }: { historyAfter?: Promise<unknown> | undefined } = {},
): Promise<CodeState> {
  if (!("kind" in of)) return { ...(await requireStatus(room, of.directory)), ...nothingSince };
  const top = await findTop(room, of);
  // Git is started before it is known whether the folder is the loop's tree still, for mostly it is, and git takes longest.
  const looked = top === null ? null : settle(lookAt(room, top, of.baseSha, historyAfter));
  if (looked !== null && top !== null && (await isOwnTree(room, of, top))) return (await looked)();
  const { baseSha, workingBranch: branch } = of;
  const home = await requireHome(of);
  const tip = await requireBranch(room.git, home, branch);
  return { branch, staged: 0, unstaged: 0, ...(await since(room, home.top, baseSha, tip)) };
}

async function lookAt(room: Room, top: string, base: string, historyAfter?: Promise<unknown>): Promise<CodeState> {
  const history = async () => {
    await historyAfter;
    return await since(room, top, base, "HEAD");
  };
  const [status, rest] = await Promise.all([requireStatus(room, top), history()]);
  return { ...status, ...rest };
}

/** A promise of what came of it, or of what it threw: so that nobody has to be waiting for it. */
function settle<T>(work: Promise<T>): Promise<() => T> {
  return work.then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error;
    },
  );
}

type Since = Omit<CodeState, "branch" | "staged" | "unstaged">;

const nothingSince: Since = {
  base: null,
  commits: [],
  commit_count: 0,
  files_changed: [],
  file_count: 0,
  lines_added: 0,
  lines_removed: 0,
  note: "no base commit",
};

async function since({ git }: Room, cwd: string, base: string, tip: string): Promise<Since> {
  const [commits, files]: [CommitsSince, FilesSince] = await Promise.all([
    commitsSince(sparing(git), cwd, base, tip),
    changedSince(sparing(git), cwd, base, tip),
  ]);
  return {
    base,
    commits: commits.newest,
    commit_count: commits.count,
    files_changed: files.first,
    file_count: files.count,
    lines_added: files.added,
    lines_removed: files.removed,
    note: null,
  };
}

/**
 * A git that leaves the processor to others, for the state of the tree takes longest and is waited for; and that keeps
 * 8 MB of unpacked objects at hand instead of 96. Of each folder that changed it unpacks every version
 * on the way to the two it compares and needs none of them again: half of its time went into getting memory for them.
 */
function sparing(git: Git): Git {
  const config = ["core.deltaBaseCacheLimit=8m"];
  return {
    ...git,
    output: (args, call) => git.output(args, { ...call, config: [...(call.config ?? []), ...config], givesWay: true }),
  };
}

async function requireStatus({ git }: Room, cwd: string): Promise<Pick<TreeStatus, "branch" | "staged" | "unstaged">> {
  const status = await readStatus(git, cwd);
  if (!("code" in status)) return { branch: status.branch, staged: status.staged, unstaged: status.unstaged };
  // Only now that it failed is another process spent to say why.
  requirePlace(await survey(git, cwd), cwd);
  throw gitFault(["status"], status, cwd);
}

/**
 * Is the folder the loop's tree as it should be, on whichever of its branches? One that the agent tore from its
 * repository is not repaired by looking at it; a checkout that left the loop's branches is the user's.
 */
async function isOwnTree(room: Room, workspace: GitWorkspace, top: string): Promise<boolean> {
  const tree = await findTree(top);
  if (tree === null) return false;
  return workspace.kind === "checkout" ? isOnLoop(room, tree, workspace) : isLinked(tree);
}
