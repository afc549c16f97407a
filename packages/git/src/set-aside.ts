import { mkdir } from "node:fs/promises";
import type { GitWorkspace } from "@ralpher/contract";
import { attach } from "./attach.ts";
import { toBranchName } from "./branch-name.ts";
import { gitFault } from "./git-fault.ts";
import { requireHome } from "./home.ts";
import { moveIgnored, planIgnored } from "./keep-ignored.ts";
import { readCommit } from "./read-commit.ts";
import { readRef } from "./read-ref.ts";
import { requireTree } from "./require-tree.ts";
import type { Room } from "./room.ts";
import { runInTree } from "./run-in-tree.ts";
import { snapshot } from "./snapshot.ts";
import { stageAll } from "./stage.ts";
import { takeCommitsBack } from "./take-commits-back.ts";
import { keepInTrash, refs } from "./trash.ts";
import type { Tree } from "./tree.ts";
import { type RefChange, updateRefs } from "./update-refs.ts";
import { requireKey } from "./work-branch.ts";

interface Aside {
  ref: string;
  sha: string;
  /** What a person should know. */
  warnings?: string[];
}

interface AsideRequest {
  since: string;
  label: string;
  message: string;
}

/**
 * Put everything that happened in the tree since a commit into one commit on top of that, under a ref of its own, so that
 * `git show` tells it and `git cherry-pick` brings it back; then take tree and branch back. Commits that the agent had
 * made of it go to a trash ref as they are. Ignored files stay, but for those that are no longer
 * ignored then: they go to a folder beside the tree. A label is for one use: with the same `since` it is the
 * same call again.
 * @throws Fault `git_failed`, `disk_full`
 */
export async function setAside(
  room: Room,
  workspace: GitWorkspace,
  branch: string,
  { since, label, message }: AsideRequest,
): Promise<Aside | null> {
  const { git } = room;
  const tree = await requireTree(room, workspace);
  const home = await requireHome(workspace);
  const key = await requireKey(room, workspace);
  return room.mutex.run(home.commonDir, async () => {
    // Of a try that was cut short.
    const before = await moveIgnored(room, tree, key);
    const { head } = await attach(git, tree, branch, since);
    const told = await takeCommitsBack(room, home, tree, { workspace, branch, since });
    const place = await findPlace(room, home, { key, label, since });
    const now = await snapshot(room, tree, message);
    if (now === null || now === since) {
      return place.sha === null ? null : { ref: place.ref, sha: place.sha, ...tell(told, before) };
    }

    const aside = { ref: place.ref, sha: place.sha ?? (await flatten(room, tree, { now, since, message })) };
    const changes: RefChange[] = place.sha === null ? [{ ref: aside.ref, to: aside.sha, old: null }] : [];
    // Only part of it is left of a try that was cut short; should it be more, it is kept.
    if (place.sha !== null && now !== head) changes.push(keepInTrash(branch, now));
    else if (head !== since) changes.push(keepInTrash(branch, head));
    if (changes.length > 0) {
      const result = await updateRefs(git, home.commonDir, changes, "set changes aside");
      if (result.code !== 0) throw gitFault(["update-ref"], result, home.top);
    }
    await planIgnored(room, tree, { key, name: place.ref.slice(refs.asideOf(key, "").length), now, since });
    await takeBack(room, tree, branch, since);
    const moved = await moveIgnored(room, tree, key);
    await mkdir(workspace.directory, { recursive: true });
    return { ...aside, ...tell(told, moved ?? before) };
  });
}

function tell(told: string[], folder: string | null): { warnings?: string[] } {
  const moved = `Ignored files whose rule was set aside were moved out of the tree, to ${folder}.`;
  const warnings = folder === null ? told : [...told, moved];
  return warnings.length === 0 ? {} : { warnings };
}

/** The ref for a label: the one that an earlier try made, else the first that is free. */
async function findPlace(
  { git }: Room,
  home: Tree,
  { key, label, since }: { key: string; label: string; since: string },
): Promise<{ ref: string; sha: string | null }> {
  const name = toBranchName(label).replaceAll("/", "-");
  for (let number = 1; ; number++) {
    const ref = refs.asideOf(key, number === 1 ? name : `${name}-${number}`);
    const sha = await readRef(git, home, ref);
    if (sha === null || (await readCommit(git, home, sha)).parents[0] === since) return { ref, sha };
  }
}

/** One commit on top of `since`, of what a snapshot holds. */
async function flatten(
  { git, identity }: Room,
  tree: Tree,
  { now, since, message }: { now: string; since: string; message: string },
): Promise<string> {
  const commit = await readCommit(git, tree, now);
  if (commit.parents[0] === since && commit.parents.length === 1 && commit.message === message.trim()) return now;
  const config = await identity.find(tree.commonDir);
  const args = ["commit-tree", commit.tree, "-p", since, "-F", "-"];
  return (await git.output(args, { cwd: tree.top, config, stdin: message })).trim();
}

/** New files are in the index by then, so that they go with the rest; ignored ones are not. */
async function takeBack({ git }: Room, tree: Tree, branch: string, since: string): Promise<void> {
  await stageAll(git, tree, { branch });
  const args = ["reset", "--hard", "--quiet", since, "--"];
  const result = await runInTree(git, tree, branch, args, ({ code }) => code === 0);
  if (result.code !== 0) throw gitFault(args, result, tree.top);
}
