import { mkdir } from "node:fs/promises";
import type { GitWorkspace, Saved, SavedCommit, SaveRequest } from "@ralpher/contract";
import { attach } from "./attach.ts";
import { commitStaged } from "./commit.ts";
import { gitFault } from "./git-fault.ts";
import { countFiles, listCommits } from "./list-commits.ts";
import { readCommit } from "./read-commit.ts";
import { readBranch, readHead, requireBranch } from "./read-ref.ts";
import { requireTree } from "./require-tree.ts";
import type { Room } from "./room.ts";
import { stageAll } from "./stage.ts";
import { keepInTrash } from "./trash.ts";
import type { Tree } from "./tree.ts";
import { updateRefs } from "./update-refs.ts";
import { isWorkBranch } from "./work-branch.ts";

/**
 * Commit all changes of the loop's tree. The hot path: ordinarily `git add` and `git commit` and no other process, for
 * what git would tell is read from its files. A third lists the commits of an agent that committed by itself.
 */
export async function save(room: Room, { workspace, since, message }: SaveRequest): Promise<Saved> {
  const tree = await requireTree(room, workspace);
  const here = (await readHead(room.git, tree)).branch;
  if (await isWorkBranch(room, tree, workspace, here)) return saveBeside(room, workspace, here ?? "", since, message);
  return saveTo(room, workspace, tree, workspace.workingBranch, { since, message });
}

interface SaveOnRequest {
  since: string;
  message: string;
  always?: boolean | undefined;
}

/** The same for a branch that `branchOff` made: the working branch has no part in it. */
export async function saveOn(
  room: Room,
  workspace: GitWorkspace,
  branch: string,
  request: SaveOnRequest,
): Promise<Saved> {
  return saveTo(room, workspace, await requireTree(room, workspace), branch, request);
}

/**
 * The tree is on a work branch. What lies there belongs to that, and is kept on it; the working branch stays as it is,
 * for it gets a work branch's commits only when that is merged back.
 */
async function saveBeside(
  room: Room,
  workspace: GitWorkspace,
  branch: string,
  since: string,
  message: string,
): Promise<Saved> {
  const tree = await requireTree(room, workspace);
  const tip = await requireBranch(room.git, tree, branch);
  const saved = await saveOn(room, workspace, branch, { since: tip, message });
  const head = (await readBranch(room.git, tree, workspace.workingBranch)) ?? since;
  if (saved.kind === "nothing") return { kind: "nothing", head };
  const told = `What was uncommitted is on ${branch}, which is not merged into ${workspace.workingBranch}.`;
  return { kind: "made", head, commits: [], warnings: [...saved.warnings, told] };
}

async function saveTo(
  room: Room,
  workspace: GitWorkspace,
  tree: Tree,
  branch: string,
  { since, message, always = false }: SaveOnRequest,
): Promise<Saved> {
  const { git } = room;
  const { head, leftBehind, warnings } = await attach(git, tree, branch, since);
  const own = await listCommits(git, tree, since, head);
  if (own.leftBehind && leftBehind !== since) warnings.push(await keepLeftBehind(room, tree, branch, since));

  const staged = await stageAll(git, tree, { branch, gitlinks: own.gitlinks });
  warnings.push(...staged.warnings);
  // A subfolder whose last file went is gone; the agent's next session begins in it.
  if (workspace.directory !== tree.top) await mkdir(workspace.directory, { recursive: true });
  // The commit may be there from a try whose caller died.
  const isUntold = own.commits.length > 0 && own.commits.every((commit) => commit.message !== message.trim());
  const evenEmpty = always && isUntold;
  const committed = await commitStaged(git, room.identity, tree, { message, branch, staged, evenEmpty });
  if (committed.kind === "nothing") {
    if (own.commits.length + warnings.length === 0) return { kind: "nothing", head };
    return { kind: "made", head, commits: own.commits, warnings };
  }
  warnings.push(...committed.warnings);
  const made = await readMade(room, tree, head, committed.filesChanged);
  return { kind: "made", head: made.head, commits: [...own.commits, ...made.commits], warnings };
}

/** What `git commit` just put on top of `before`. A hook may have added commits of its own. */
async function readMade(
  { git }: Room,
  tree: Tree,
  before: string,
  filesChanged: number | null,
): Promise<{ head: string; commits: SavedCommit[] }> {
  const head = (await readHead(git, tree)).sha ?? before;
  const { parents, timestamp, message } = await readCommit(git, tree, head);
  if (parents[0] !== before) return { head, commits: (await listCommits(git, tree, before, head)).commits };
  const files = filesChanged ?? (await countFiles(git, tree, head));
  return { head, commits: [{ sha: head, message, timestamp, filesChanged: files }] };
}

/** The agent went back before commits that were saved already: no ref holds them any more. */
async function keepLeftBehind({ git }: Room, tree: Tree, branch: string, since: string): Promise<string> {
  const kept = keepInTrash(branch, since);
  const result = await updateRefs(git, tree.top, [kept], "keep what was left behind");
  if (result.code !== 0) throw gitFault(["update-ref"], result, tree.top);
  return `The branch was moved off commit ${since.slice(0, 10)}, which was saved before; ${kept.ref} keeps it.`;
}
