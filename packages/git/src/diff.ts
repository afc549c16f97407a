import { type DiffRange, Fault, type FileDiff, type GitWorkspace } from "@ralpher/contract";
import { isAncestor } from "./attach.ts";
import { requireCommitName, unknownCommit } from "./commit-name.ts";
import { requireHome } from "./home.ts";
import { findOwnTree } from "./own-tree.ts";
import { parseDiff } from "./parse-diff.ts";
import { readBranch } from "./read-ref.ts";
import type { Room } from "./room.ts";
import { withScratchIndex } from "./scratch-index.ts";
import { stageAll } from "./stage.ts";
import { refs } from "./trash.ts";
import type { Tree } from "./tree.ts";

/** What git may write before it is stopped; the files that come later have no patch then. */
const maxBytes = 32 * 1024 * 1024;

/** Everything that could bend the format, from the user's configuration or attributes, is set back. */
const flags = [
  ...["--raw", "--numstat", "-z", "--no-abbrev", "--find-renames", "--submodule=short"],
  ...["--no-ext-diff", "--no-textconv", "--no-color", "--no-relative", "--src-prefix=a/", "--dst-prefix=b/"],
  ...["--ignore-submodules=dirty", "-O/dev/null"],
];

/** Where a diff is made, and between what. */
interface Sides {
  cwd: string;
  what: string[];
  env: Record<string, string>;
}

/**
 * The changes of the loop since its base: commits, and what lies in the tree uncommitted or untracked; or those of one
 * commit against its first parent, or of a line of commits. Reads only: what is uncommitted is staged in a copy of the
 * index. Of one file (`path`, from the top of the tree) the patch is whole, whatever its size.
 * @throws Fault `not_found`, `branch_missing`, `git_failed`
 */
export async function diff(room: Room, workspace: GitWorkspace, of: DiffRange = {}): Promise<FileDiff[]> {
  const range = rangeOf(of);
  if (range !== null) return run(room, await between(room, await requireHome(workspace), range), of);
  const { git } = room;
  const tree = await findOwnTree(room, workspace);
  if (tree !== null) {
    const base = await findBase(room, tree.top, workspace, "HEAD");
    return withScratchIndex(tree, async (env) => {
      await stageAll(git, tree, { branch: "", env });
      return run(room, { cwd: tree.top, what: ["--cached", base], env }, of);
    });
  }
  const home = await requireHome(workspace);
  const branch = workspace.workingBranch;
  const tip = await readBranch(git, home, branch);
  if (tip === null) throw new Fault("branch_missing", { branch });
  const base = await findBase(room, home.top, workspace, tip);
  return run(room, { cwd: home.top, what: [base, tip], env: {} }, of);
}

/**
 * Where the loop's own changes begin. An agent may merge the original branch by itself, as it is asked to after a
 * conflict: what came with that is not the loop's. Once the original branch has all of the loop, its base is the old one.
 */
async function findBase({ git }: Room, cwd: string, workspace: GitWorkspace, tip: string): Promise<string> {
  const { baseSha, originalBranch } = workspace;
  const found = await git.run(["merge-base", tip, refs.branch(originalBranch)], { cwd });
  const shared = found.stdout.trim();
  if (found.code !== 0 || shared === baseSha) return baseSha;
  const isTip = shared === (await git.output(["rev-parse", "--verify", `${tip}^{commit}`], { cwd })).trim();
  return !isTip && (await isAncestor(git, cwd, baseSha, shared)) ? shared : baseSha;
}

function rangeOf(of: DiffRange): { first: string; last: string } | null {
  if ("first" in of) return of;
  return of.commit === undefined ? null : { first: of.commit, last: of.commit };
}

/** From the first parent of `first` to `last`. */
async function between(room: Room, home: Tree, { first, last }: { first: string; last: string }): Promise<Sides> {
  const { git } = room;
  const call = { cwd: home.top };
  const [sha = "", parent] = await parentsOf(room, home, first);
  // The first commit of all is compared with the empty tree, whose name depends on the repository's hash.
  const before = parent ?? (await git.output(["hash-object", "-t", "tree", "--stdin"], { ...call, stdin: "" })).trim();
  const [end = ""] = first === last ? [sha] : await parentsOf(room, home, last);
  return { cwd: home.top, what: [before, end], env: {} };
}

/** A commit's whole name, then those of its parents. @throws Fault `not_found` */
async function parentsOf({ git }: Room, home: Tree, commit: string): Promise<string[]> {
  requireCommitName(commit);
  const found = await git.run(["rev-list", "--parents", "--max-count=1", commit, "--"], { cwd: home.top });
  if (found.code !== 0) throw unknownCommit(commit);
  return found.stdout.trim().split(" ");
}

async function run(room: Room, sides: Sides, { path, patches }: DiffRange): Promise<FileDiff[]> {
  if (path === undefined) return ask(room, sides, { patches: patches ?? true, paths: [] });
  // Git sees a rename only when it looks at both paths; and it is asked only about paths that it named itself.
  const file = (await ask(room, sides, { patches: false, paths: [] })).find((candidate) => candidate.path === path);
  if (file === undefined || patches === false) return file === undefined ? [] : [file];
  const paths = [...(file.oldPath === undefined ? [] : [file.oldPath]), file.path];
  return (await ask(room, sides, { patches: true, paths })).filter((candidate) => candidate.path === path);
}

async function ask(
  { git }: Room,
  { cwd, what, env }: Sides,
  { patches, paths }: { patches: boolean; paths: string[] },
): Promise<FileDiff[]> {
  const only = paths.map((path) => `:(top,literal)${path}`);
  const args = ["diff", ...flags, ...(patches ? ["--patch"] : []), ...what, "--", ...only];
  const text = await git.output(args, { cwd, env, maxBytes, endAtLimit: true });
  return parseDiff(text, { cut: Buffer.byteLength(text) >= maxBytes, patches, whole: paths.length > 0 });
}
