import type { GitWorkspace } from "@ralpher/contract";
import { isAncestor } from "./attach.ts";
import { freeBranchName, toBranchName } from "./branch-name.ts";
import { findBranchPlace } from "./branch-place.ts";
import { gitFault } from "./git-fault.ts";
import { requireHome } from "./home.ts";
import { listBranches } from "./list-branches.ts";
import { moveBranch, moveCheckedOut, untilItHoldsStill } from "./move-branch.ts";
import { readBranch, readHead, requireBranch } from "./read-ref.ts";
import { requireTree } from "./require-tree.ts";
import type { Room } from "./room.ts";
import { switchTree } from "./switch-tree.ts";
import { refs } from "./trash.ts";
import type { Tree } from "./tree.ts";
import { type RefChange, updateRefs } from "./update-refs.ts";
import { leave, listMarks, type Mark, requireKey } from "./work-branch.ts";

interface Begun {
  branch: string;
  base: string;
}

/**
 * Begin a branch at the working branch's head and switch the tree to it. Branch and mark are made in one transaction;
 * whoever finds them without a commit of their own goes on with them. A work branch that was there before stays, as one
 * the loop is done with.
 * @throws Fault `branch_missing`, `branch_checked_out`, `git_failed`
 */
export async function branchOff(room: Room, workspace: GitWorkspace, wanted: string): Promise<Begun> {
  const tree = await requireTree(room, workspace);
  const home = await requireHome(workspace);
  const key = await requireKey(room, workspace);
  return room.mutex.run(home.commonDir, async () => {
    const begun = await untilItHoldsStill(workspace.workingBranch, async () => {
      const base = await requireBranch(room.git, home, workspace.workingBranch);
      const marks = await listMarks(room, home, key);
      const name = toBranchName(wanted);
      const known = await findEmpty(room, home, tree, workspace, { name, base, marks });
      return known === null
        ? make(room, home, { key, name, base, marks })
        : forward(room, home, { key, base, marks, ...known });
    });
    await switchTree(room, home, tree, workspace, begun.branch);
    return begun;
  });
}

/** A branch that an earlier call made, or that is checked out here, under this name, without work of its own. */
async function findEmpty(
  { git }: Room,
  home: Tree,
  tree: Tree,
  { workingBranch, originalBranch }: GitWorkspace,
  { name, base, marks }: { name: string; base: string; marks: Mark[] },
): Promise<{ branch: string; tip: string } | null> {
  const own = [workingBranch, originalBranch];
  const here = (await readHead(git, tree)).branch;
  const marked = marks.filter(({ left }) => !left).map(({ branch }) => branch);
  for (const branch of [...(here === null || own.includes(here) ? [] : [here]), ...marked]) {
    if (!isNumbered(branch, name)) continue;
    const tip = await readBranch(git, home, branch);
    if (tip !== null && (await isAncestor(git, home.top, tip, base))) return { branch, tip };
  }
  return null;
}

/** The name itself, or with a number as `freeBranchName` adds it. */
function isNumbered(branch: string, name: string): boolean {
  return [name, name.replaceAll("/", "-")].some(
    (free) => branch === free || (branch.startsWith(`${free}-`) && /^[0-9]+$/.test(branch.slice(free.length + 1))),
  );
}

interface Making {
  key: string;
  base: string;
  marks: Mark[];
}

/** Null when somebody took the name meanwhile. */
async function make(room: Room, home: Tree, { name, ...making }: Making & { name: string }): Promise<Begun | null> {
  const branch = freeBranchName(name, await listBranches(room.git, home));
  const changes = [{ ref: refs.branch(branch), to: making.base, old: null }, ...marking(branch, making)];
  const result = await updateRefs(room.git, home.top, changes, "begin a work branch");
  if (result.code === 0) return { branch, base: making.base };
  if ((await readBranch(room.git, home, branch)) !== null) return null;
  throw gitFault(["update-ref"], result, home.top);
}

/** Null when the branch moved meanwhile. */
async function forward(
  { git }: Room,
  home: Tree,
  { branch, tip, ...making }: Making & { branch: string; tip: string },
): Promise<Begun | null> {
  const { base, marks } = making;
  const place = await findBranchPlace(git, home, branch);
  const move = { branch, from: tip, to: base };
  if (tip !== base) {
    if (!(await (place === null ? moveBranch(git, home, move) : moveCheckedOut(git, home, place, move)))) return null;
  }
  if (!marks.some((mark) => mark.branch === branch && !mark.left && mark.sha === base)) {
    const result = await updateRefs(git, home.top, marking(branch, making), "go on with a work branch");
    if (result.code !== 0) throw gitFault(["update-ref"], result, home.top);
  }
  return { branch, base };
}

/** The one mark that says which branch the loop is at work on. */
function marking(branch: string, { key, base, marks }: Making): RefChange[] {
  const others = marks.filter((mark) => mark.branch !== branch);
  const old = marks.filter((mark) => mark.branch === branch && mark.left);
  return [
    { ref: refs.workOf(key, branch), to: base },
    ...old.map(({ ref }) => ({ ref, to: null })),
    ...leave(key, others),
  ];
}
