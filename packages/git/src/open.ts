import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Fault, type GitWorkspace, type OpenWorkspace } from "@ralpher/contract";
import { freeBranchName, toBranchName } from "./branch-name.ts";
import { ensureWorktree } from "./ensure-worktree.ts";
import { gitFault } from "./git-fault.ts";
import { listBranches } from "./list-branches.ts";
import { findRecord, writeRecord } from "./loop-record.ts";
import { readBranch, readHead, readRef, requireBranch } from "./read-ref.ts";
import { type Place, requireBegun, requirePlace } from "./require-place.ts";
import { putBackStash } from "./restore-stash.ts";
import type { Room } from "./room.ts";
import { survey } from "./survey.ts";
import { refs } from "./trash.ts";
import { settleUncommitted } from "./uncommitted.ts";
import { updateRefs } from "./update-refs.ts";
import { findTreeBranch, isOnLoop } from "./work-branch.ts";

/** Others may take the name between our look and our transaction; so often in a row it is something else. */
const mostNames = 10;

/**
 * Make the loop's branch and tree, or find those of the key. It plans, writes the plan down, makes the branch in one
 * transaction, then the tree; a process that dies between two of these steps leaves what the next call goes on with.
 */
export async function open(room: Room, request: OpenWorkspace): Promise<GitWorkspace> {
  await room.version();
  requireKey(request.key);
  const place = requirePlace(await survey(room.git, request.directory), request.directory);
  return room.mutex.run(place.tree.commonDir, async () => {
    const known = await reopen(room, request, place);
    if (known !== null) {
      const left = await isLeft(room, known, place);
      const stashSha = left ? await settleUncommitted(room, place, request, { again: true }) : null;
      // A tree on a work branch is left there; one that has to be made again is made where the loop was at work.
      const branch = await findTreeBranch(room, place.tree, known);
      await orPutBack(room, place, stashSha, () => putInPlace(room, known, branch, place, request.key));
      return known;
    }
    const base = requireBase(place, request);
    // What lies in a checkout that is on another branch is no part of the work, and stays as it is.
    const isApart = place.kind !== "repository" || place.branch !== base;
    const stashSha = isApart ? null : await settleUncommitted(room, place, request);
    return await orPutBack(room, place, stashSha, async () => {
      const workspace = await begin(room, request, place, base, stashSha);
      await putInPlace(room, workspace, workspace.workingBranch, place, request.key);
      return workspace;
    });
  });
}

/** When it fails, the loop that the user's changes were put aside for does not come about. */
async function orPutBack<T>(room: Room, { tree }: Place, stashSha: string | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (stashSha !== null) await putBackStash(room, tree, stashSha);
    throw error;
  }
}

/** In place: did the checkout leave the loop's branches, so that what lies there is the user's? */
async function isLeft(room: Room, workspace: GitWorkspace, { tree }: Place): Promise<boolean> {
  return workspace.kind === "checkout" && !(await isOnLoop(room, tree, workspace));
}

/** What an earlier call for this key made; null when it did not get as far as the branch. */
async function reopen(room: Room, request: OpenWorkspace, { tree }: Place): Promise<GitWorkspace | null> {
  const record = await findRecord(room, request.key);
  if (record === null || record.repository !== tree.top || record.kind !== request.isolation) return null;
  if ((await readRef(room.git, tree, refs.base(request.key))) !== record.baseSha) return null;
  const branch = record.workingBranch;
  if ((await readBranch(room.git, tree, branch)) === null) throw new Fault("branch_missing", { branch });
  return record;
}

/** The branch to begin from. In place, it has to be the one that is checked out. */
function requireBase(place: Place, { base, directory, isolation }: OpenWorkspace): string {
  if (base === undefined) return requireBegun(place, directory).branch;
  if (isolation === "worktree") return base;
  const { branch } = requireBegun(place, directory);
  if (branch === base) return base;
  const message = `a loop that works in place begins from the branch that is checked out, which is ${branch}. Run "git switch ${base}" in ${directory} first, or let it work in a worktree of its own`;
  throw new Fault("invalid_input", { what: "base branch", issues: [{ path: base, message }] });
}

async function begin(
  room: Room,
  request: OpenWorkspace,
  { tree, prefix }: Place,
  base: string,
  stashSha: string | null,
): Promise<GitWorkspace> {
  // Read only now: committing the user's changes moved it.
  const baseSha = await requireBranch(room.git, tree, base);
  const top = request.isolation === "worktree" ? join(await room.root(), request.key) : tree.top;

  for (let tries = 1; ; tries++) {
    const workspace: GitWorkspace = {
      kind: request.isolation,
      directory: join(top, prefix).replace(/\/$/, ""),
      repository: tree.top,
      originalBranch: base,
      workingBranch: freeBranchName(toBranchName(request.branch), await listBranches(room.git, tree)),
      baseSha,
      ...(stashSha === null ? {} : { stashSha }),
    };
    await writeRecord(room, request.key, workspace);
    const changes = [
      { ref: refs.branch(workspace.workingBranch), to: baseSha, old: null },
      { ref: refs.base(request.key), to: baseSha },
    ];
    const result = await updateRefs(room.git, tree.top, changes, "begin a loop");
    if (result.code === 0) return workspace;
    if (tries >= mostNames) throw gitFault(["update-ref"], result, tree.top);
  }
}

async function putInPlace(
  room: Room,
  workspace: GitWorkspace,
  branch: string,
  { tree }: Place,
  key: string,
): Promise<void> {
  if (workspace.kind === "worktree") {
    await ensureWorktree(room.git, tree, join(await room.root(), key), branch);
    // The user's subfolder may hold nothing that is committed.
    await mkdir(workspace.directory, { recursive: true });
    return;
  }
  const head = await readHead(room.git, tree);
  if (head.branch === branch) return;
  if (head.sha === (await readBranch(room.git, tree, branch))) {
    // The same commit: nothing to check out, so no file and no staged change is touched.
    await room.git.output(["symbolic-ref", "-m", "ralpher: begin a loop", "HEAD", refs.branch(branch)], {
      cwd: tree.top,
    });
  } else {
    await room.git.output(["checkout", "--quiet", "--no-overwrite-ignore", branch, "--"], { cwd: tree.top });
  }
}

/** The key becomes a folder and part of ref names. */
function requireKey(key: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(key)) return;
  const issues = [{ path: "key", message: "letters, digits, - and _ only" }];
  throw new Fault("invalid_input", { what: "workspace key", issues });
}
