import { Fault } from "@ralpher/contract";
import { mergeTrees } from "./merge-trees.ts";
import { readCommit } from "./read-commit.ts";
import type { Room } from "./room.ts";
import type { Tree } from "./tree.ts";

type Replayed = { kind: "made"; head: string } | { kind: "conflict"; files: string[] };

interface Original {
  sha: string;
  parents: string[];
  author: { name: string; email: string; date: string };
  message: string;
}

/** The commit that the next one goes on top of. */
interface Top {
  sha: string;
  tree: string;
}

/** Writes a commit and returns its name. Without an author, it is who commits. */
type Maker = (tree: string, parent: string, message: string, author?: Original["author"]) => Promise<string>;

/**
 * Make the commits of a branch again on top of another commit, each with its message, author and date, also one that has
 * become empty. Writes new objects and nothing else. Merges are not made again; what was changed in them, beyond what
 * they merged, comes in a commit of its own at the end.
 * @throws Fault `git_failed`
 */
export async function replay(room: Room, home: Tree, branch: string, onto: string): Promise<Replayed> {
  const commits = await commitsOf(room, home, branch, onto);
  const config = await room.identity.find(home.commonDir);
  const make: Maker = async (tree, parent, message, author) => {
    const args = ["commit-tree", tree, "-p", parent, "-F", "-"];
    return (await room.git.output(args, { cwd: home.top, stdin: message, config, env: asAuthor(author) })).trim();
  };
  let top: Top = { sha: onto, tree: await treeOf(room, home, onto) };
  for (const commit of commits) {
    if (commit.parents.length > 1) continue;
    const tree = await replayedTree(room, home, make, commit, top);
    if (typeof tree !== "string") return tree;
    top = { sha: await make(tree, top.sha, commit.message, commit.author), tree };
  }
  if (commits.every(({ parents }) => parents.length === 1)) return { kind: "made", head: top.sha };
  const whole = await mergeTrees(room, home, branch, onto);
  if (whole.kind === "conflict") return whole;
  if (whole.tree === top.tree) return { kind: "made", head: top.sha };
  return { kind: "made", head: await make(whole.tree, top.sha, "Changes that were made in merges") };
}

/** What is in the branch and not in `onto`, parents before children. */
async function commitsOf({ git }: Room, home: Tree, branch: string, onto: string): Promise<Original[]> {
  const format = ["%H", "%P", "%an", "%ae", "%ad", "%B"].join("%x00");
  const flags = ["--topo-order", "--reverse", "--date=raw", "--no-show-signature", "--encoding=UTF-8"];
  const args = ["log", "-z", ...flags, `--format=${format}`, `${onto}..${branch}`, "--"];
  const fields = (await git.output(args, { cwd: home.top })).split("\0");
  const commits: Original[] = [];
  for (let at = 0; at + 5 < fields.length; at += 6) {
    const [sha = "", parents = "", name = "", email = "", date = "", message = ""] = fields.slice(at, at + 6);
    commits.push({ sha, parents: parents.split(" ").filter(Boolean), author: { name, email, date }, message });
  }
  return commits;
}

/** The tree of a commit's change on top of another: a merge whose common ancestor is the commit's parent. */
async function replayedTree(
  room: Room,
  home: Tree,
  make: Maker,
  commit: Original,
  top: Top,
): Promise<string | Replayed> {
  const [parent] = commit.parents;
  if (parent === undefined) {
    const detail = `commit ${commit.sha.slice(0, 10)} has no parent; update by a merge instead`;
    throw new Fault("git_failed", { command: "rebase", detail });
  }
  if ((await treeOf(room, home, parent)) === top.tree) return treeOf(room, home, commit.sha);
  // Git's merge looks for the common ancestor by itself, so it is given a commit whose parent that is.
  const ours = await make(top.tree, parent, "the branch so far");
  const merged = await mergeTrees(room, home, ours, commit.sha);
  return merged.kind === "clean" ? merged.tree : merged;
}

async function treeOf({ git }: Room, home: Tree, sha: string): Promise<string> {
  return (await readCommit(git, home, sha)).tree;
}

function asAuthor(author: Original["author"] | undefined): Record<string, string> {
  if (author === undefined) return {};
  const { name, email, date } = author;
  // There are commits without a name; git reads them, but makes none.
  return { GIT_AUTHOR_NAME: name || email || "unknown", GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: `@${date}` };
}
