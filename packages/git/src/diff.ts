import { Fault, type FileDiff, type GitWorkspace } from "@ralpher/contract";
import { parseDiff } from "./parse-diff.ts";
import { readBranch, readHead } from "./read-ref.ts";
import { findTop, requireHome, requireTree } from "./require-tree.ts";
import type { Room } from "./room.ts";
import { withScratchIndex } from "./scratch-index.ts";
import { stageAll } from "./stage.ts";
import { isDirectory, type Tree } from "./tree.ts";

/** What git may write before it is stopped; the files that come later have no patch then. */
const maxBytes = 32 * 1024 * 1024;

/** Everything that could bend the format, from the user's configuration or attributes, is set back. */
const flags = [
  ...["--raw", "--numstat", "--patch", "-z", "--no-abbrev", "--find-renames", "--submodule=short"],
  ...["--no-ext-diff", "--no-textconv", "--no-color", "--no-relative", "--src-prefix=a/", "--dst-prefix=b/"],
  ...["--ignore-submodules=dirty", "-O/dev/null"],
];

/**
 * The changes of the loop since its base: commits, and what lies in the tree uncommitted or untracked; of one commit,
 * against its first parent. Reads only: what is uncommitted is staged in a copy of the index.
 * @throws Fault `not_found`, `branch_missing`, `git_failed`
 */
export async function diff(room: Room, workspace: GitWorkspace, of?: { commit: string }): Promise<FileDiff[]> {
  if (of !== undefined) return diffOfCommit(room, await requireHome(workspace), of.commit);
  const { git } = room;
  const tree = await findOwnTree(room, workspace);
  if (tree !== null) {
    return withScratchIndex(tree, async (env) => {
      await stageAll(git, tree, { branch: "", env });
      return run(room, tree.top, ["--cached", workspace.baseSha], env);
    });
  }
  const home = await requireHome(workspace);
  const branch = workspace.workingBranch;
  const tip = await readBranch(git, home, branch);
  if (tip === null) throw new Fault("branch_missing", { branch });
  return run(room, home.top, [workspace.baseSha, tip]);
}

/** The tree that holds the loop's work now; null when its worktree is closed, or the checkout left the branch. */
async function findOwnTree(room: Room, workspace: GitWorkspace): Promise<Tree | null> {
  if (workspace.kind === "checkout") {
    const home = await requireHome(workspace);
    return (await readHead(room.git, home)).branch === workspace.workingBranch ? home : null;
  }
  const top = await findTop(room, workspace);
  return top !== null && (await isDirectory(top)) ? requireTree(room, workspace) : null;
}

async function diffOfCommit(room: Room, home: Tree, commit: string): Promise<FileDiff[]> {
  const { git } = room;
  const unknown = new Fault("not_found", { what: `commit ${commit}` });
  if (!/^[0-9a-f]{4,64}$/.test(commit)) throw unknown;
  const call = { cwd: home.top };
  const parents = await git.run(["rev-list", "--parents", "--max-count=1", commit, "--"], call);
  if (parents.code !== 0) throw unknown;
  const [sha = "", first] = parents.stdout.trim().split(" ");
  // The first commit of all is compared with the empty tree, whose name depends on the repository's hash.
  const before = first ?? (await git.output(["hash-object", "-t", "tree", "--stdin"], { ...call, stdin: "" })).trim();
  return run(room, home.top, [before, sha]);
}

async function run(room: Room, cwd: string, what: string[], env: Record<string, string> = {}): Promise<FileDiff[]> {
  const text = await room.git.output(["diff", ...flags, ...what, "--"], { cwd, env, maxBytes, endAtLimit: true });
  return parseDiff(text, { cut: Buffer.byteLength(text) >= maxBytes });
}
