import { mkdir } from "node:fs/promises";
import type { GitWorkspace, Saved, SavedCommit, SaveRequest } from "@ralpher/contract";
import { attach } from "./attach.ts";
import { commitStaged } from "./commit.ts";
import { gitFault } from "./git-fault.ts";
import { countFiles, listCommits } from "./list-commits.ts";
import { readCommit } from "./read-commit.ts";
import { readHead } from "./read-ref.ts";
import { requireTree } from "./require-tree.ts";
import type { Room } from "./room.ts";
import { stageAll } from "./stage.ts";
import { keepInTrash } from "./trash.ts";
import type { Tree } from "./tree.ts";
import { updateRefs } from "./update-refs.ts";

/**
 * Commit all changes of the loop's tree. The hot path: ordinarily `git add` and `git commit` and no other process, for
 * what git would tell is read from its files. A third lists the commits of an agent that committed by itself.
 */
export async function save(room: Room, { workspace, since, message }: SaveRequest): Promise<Saved> {
  const { git } = room;
  const tree = await requireTree(room, workspace);
  const { head, leftBehind, warnings } = await attach(git, tree, workspace.workingBranch, since);
  const own = await listCommits(git, tree, since, head);
  if (own.leftBehind && leftBehind !== since) warnings.push(await keepLeftBehind(room, tree, workspace, since));

  const branch = workspace.workingBranch;
  const staged = await stageAll(git, tree, { branch, gitlinks: own.gitlinks });
  warnings.push(...staged.warnings);
  // A subfolder whose last file went is gone; the agent's next session begins in it.
  if (workspace.directory !== tree.top) await mkdir(workspace.directory, { recursive: true });
  const committed = await commitStaged(git, room.identity, tree, { message, branch, staged });
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
async function keepLeftBehind({ git }: Room, tree: Tree, workspace: GitWorkspace, since: string): Promise<string> {
  const kept = keepInTrash(workspace.workingBranch, since);
  const result = await updateRefs(git, tree.top, [kept], "keep what was left behind");
  if (result.code !== 0) throw gitFault(["update-ref"], result, tree.top);
  return `The branch was moved off commit ${since.slice(0, 10)}, which was saved before; ${kept.ref} keeps it.`;
}
