import { Fault, type GitWorkspace } from "@ralpher/contract";
import { isAncestor } from "./attach.ts";
import { gitFault } from "./git-fault.ts";
import { requireHome } from "./home.ts";
import { findKey, writeRecord } from "./loop-record.ts";
import { readBranch, readRef } from "./read-ref.ts";
import type { Room } from "./room.ts";
import { refs } from "./trash.ts";
import type { Tree } from "./tree.ts";
import { type RefChange, updateRefs } from "./update-refs.ts";
import { listMarks } from "./work-branch.ts";

/**
 * Undo a discard: the branch is where it was, with what was unsaved then as its last commit, and `open` finds it as if
 * nothing had happened. Returns the branch's head. @throws Fault `branch_missing` when nothing of it was kept,
 * `git_failed` when something else has the branch's name
 */
export async function restore(room: Room, workspace: GitWorkspace): Promise<string> {
  const home = await requireHome(workspace);
  return room.mutex.run(home.commonDir, async () => {
    const { git } = room;
    const branch = workspace.workingBranch;
    const tip = await readBranch(git, home, branch);
    const kept = await findDiscarded(room, home, workspace);
    if (kept === null) {
      if (tip === null) throw new Fault("branch_missing", { branch });
      return tip;
    }
    if (tip !== null && !(await isAncestor(git, home.top, kept.sha, tip))) {
      const detail = `there is another branch of that name; rename it, then try again`;
      throw new Fault("git_failed", { command: `branch ${branch}`, detail });
    }
    await writeRecord(room, kept.key, workspace);
    const changes: RefChange[] = [
      ...(tip === null ? [{ ref: refs.branch(branch), to: kept.sha, old: null }] : []),
      { ref: refs.base(kept.key), to: workspace.baseSha },
      { ref: kept.ref, to: null, old: kept.sha },
      ...(await workBranches(room, home, kept.key)),
    ];
    const result = await updateRefs(git, home.commonDir, changes, "restore a loop");
    if (result.code !== 0) throw gitFault(["update-ref"], result, home.top);
    return tip ?? kept.sha;
  });
}

/** Branches that `branchOff` had made. One whose name is taken by now stays where it is kept. */
async function workBranches(room: Room, home: Tree, key: string): Promise<RefChange[]> {
  const changes: RefChange[] = [];
  for (const { branch } of await listMarks(room, home, key)) {
    const ref = refs.discardedOf(key, branch);
    const sha = await readRef(room.git, home, ref);
    if (sha === null || (await readBranch(room.git, home, branch)) !== null) continue;
    changes.push({ ref: refs.branch(branch), to: sha, old: null }, { ref, to: null, old: sha });
  }
  return changes;
}

/** What was kept of a discarded loop, and the key it had; null when it was not discarded, or was restored. */
export async function findDiscarded(
  room: Room,
  home: Tree,
  workspace: GitWorkspace,
): Promise<{ key: string; ref: string; sha: string } | null> {
  const { git } = room;
  const branch = workspace.workingBranch;
  const key = await findKey(room, workspace);
  if (key !== null) {
    const ref = refs.discardedOf(key, branch);
    const sha = await readRef(git, home, ref);
    return sha === null ? null : { key, ref, sha };
  }
  // In place, nothing else knows the key any more.
  const args = ["for-each-ref", "--sort=-committerdate", "--format=%(objectname) %(refname)", refs.discarded];
  for (const line of (await git.output(args, { cwd: home.top })).split("\n")) {
    const [sha = "", ref = ""] = line.split(" ");
    const [name = "", ...rest] = ref.slice(refs.discarded.length).split("/");
    if (rest.join("/") === branch) return { key: name, ref, sha };
  }
  return null;
}
