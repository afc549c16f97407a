import { Fault, type GitWorkspace } from "@ralpher/contract";
import { findTop } from "./home.ts";
import { findKey } from "./loop-record.ts";
import { readBranch, readHead, readRef } from "./read-ref.ts";
import { findRegistration } from "./registration.ts";
import type { Room } from "./room.ts";
import { refs } from "./trash.ts";
import type { Tree } from "./tree.ts";
import type { RefChange } from "./update-refs.ts";

/**
 * Branches that `branchOff` makes for a loop have marks, refs made in the same transaction: so a later process knows
 * whose they are. Marks outlive their branches; one without its branch says nothing, until `restore` brings that back.
 */
export interface Mark {
  ref: string;
  branch: string;
  sha: string;
  /** The loop is done with it. */
  left: boolean;
}

/** The key by which the loop's marks are named. @throws Fault `git_failed` when nothing here knows the workspace */
export async function requireKey(room: Room, workspace: GitWorkspace): Promise<string> {
  const key = await findKey(room, workspace);
  if (key !== null) return key;
  const detail = `no loop that was begun here works on ${workspace.workingBranch}`;
  throw new Fault("git_failed", { command: "branch", detail });
}

/** All marks of a loop. One process. */
export async function listMarks({ git }: Room, home: Tree, key: string): Promise<Mark[]> {
  const args = ["for-each-ref", "--format=%(objectname) %(refname)", refs.works(key), refs.lefts(key)];
  const lines = (await git.output(args, { cwd: home.commonDir })).split("\n").filter((line) => line !== "");
  return lines.map((line) => {
    const [sha = "", ref = ""] = line.split(" ", 2);
    const left = ref.startsWith(refs.lefts(key));
    return { ref, sha, left, branch: ref.slice((left ? refs.lefts(key) : refs.works(key)).length) };
  });
}

/** The branch that the loop's tree belongs on: the work branch it is at work on, else the working branch. */
export async function findTreeBranch(room: Room, home: Tree, workspace: GitWorkspace): Promise<string> {
  const key = await findKey(room, workspace);
  if (key === null) return workspace.workingBranch;
  for (const { branch, left } of await listMarks(room, home, key)) {
    if (!left && (await readBranch(room.git, home, branch)) !== null) return branch;
  }
  return workspace.workingBranch;
}

/** Did `branchOff` make this branch for the loop? No process. */
export async function isWorkBranch(
  room: Room,
  home: Tree,
  workspace: GitWorkspace,
  branch: string | null,
): Promise<boolean> {
  if (branch === null || branch === workspace.workingBranch) return false;
  const key = await findKey(room, workspace);
  if (key === null) return false;
  const marks = [refs.workOf(key, branch), refs.leftOf(key, branch)];
  for (const mark of marks) if ((await readRef(room.git, home, mark)) !== null) return true;
  return false;
}

/** Is a tree on one of the loop's branches? */
export async function isOnLoop(room: Room, tree: Tree, workspace: GitWorkspace): Promise<boolean> {
  const { branch } = await readHead(room.git, tree);
  return branch === workspace.workingBranch || isWorkBranch(room, tree, workspace, branch);
}

/** The branch of the loop that its tree is on; the working branch when it is on another one, or gone. */
export async function findBranchOfTree(room: Room, home: Tree, workspace: GitWorkspace): Promise<string> {
  const top = await findTop(room, workspace);
  const registration = top === null ? null : await findRegistration(home.commonDir, top);
  const gitDir = workspace.kind === "checkout" ? home.gitDir : registration;
  const branch = gitDir === null ? null : (await readHead(room.git, { ...home, gitDir })).branch;
  return branch !== null && (await isWorkBranch(room, home, workspace, branch)) ? branch : workspace.workingBranch;
}

/** What makes marks say that the loop is done with their branches. */
export function leave(key: string, marks: readonly Mark[]): RefChange[] {
  return marks
    .filter(({ left }) => !left)
    .flatMap(({ ref, sha, branch }) => [
      { ref, to: null },
      { ref: refs.leftOf(key, branch), to: sha },
    ]);
}
