import { join } from "node:path";
import type { GitWorkspace } from "@ralpher/contract";
import { findBranchPlace } from "./branch-place.ts";
import { readBranch } from "./read-ref.ts";
import type { Room } from "./room.ts";
import { keepInTrash, refs } from "./trash.ts";
import { readText, type Tree } from "./tree.ts";
import { updateRefs } from "./update-refs.ts";

/**
 * An agent that went to the working branch and committed there has put its work where it was not to go before it is
 * judged. Take the working branch back to where it was when the tree was last at `since` on the work branch, and keep
 * the commits under a trash ref. Git's logs tell who moved a branch: a move that was made in this tree is in the log of
 * its HEAD, in the same words, as well. What others put on the branch, or on top, stays. In place nobody can tell agent
 * and user apart. Returns what a person should know. Idempotent.
 */
export async function takeCommitsBack(
  room: Room,
  home: Tree,
  tree: Tree,
  { workspace, branch, since }: { workspace: GitWorkspace; branch: string; since: string },
): Promise<string[]> {
  const { git } = room;
  const working = workspace.workingBranch;
  const tip = branch === working ? null : await readBranch(git, home, working);
  if (tip === null) return [];
  const made = await movesSince(tree, branch, since);
  const before = madeHere(await readMoves(join(tree.commonDir, "logs", refs.branch(working))), made, tip);
  if (before === tip) return [];
  const kept = keepInTrash(working, tip);
  const isFree = workspace.kind === "worktree" && (await findBranchPlace(git, home, working)) === null;
  const changes = [{ ref: refs.branch(working), to: before, old: tip }, kept];
  if (isFree && (await updateRefs(git, home.top, changes, "take back what was set aside")).code === 0) {
    return [`Commits that were made on ${working} meanwhile were set aside as well; ${kept.ref} keeps them.`];
  }
  return [
    `Commits ${before.slice(0, 10)}..${tip.slice(0, 10)} were made on ${working} meanwhile, and are still there.`,
  ];
}

/** A line of a log of git's: where a ref was, where it went, and how. */
interface Move {
  line: string;
  from: string;
  to: string;
  how: string;
}

/** Oldest first; none where git keeps no logs, or keeps them in another format. */
async function readMoves(path: string): Promise<Move[]> {
  const lines = ((await readText(path)) ?? "").split("\n").filter((line) => line !== "");
  return lines.map((line) => {
    const [from = "", to = ""] = line.split(" ", 2);
    return { line, from, to, how: line.slice(line.indexOf("\t") + 1) };
  });
}

/** What the tree's HEAD did since it was first at a commit of the work branch. */
async function movesSince(tree: Tree, branch: string, since: string): Promise<Set<string>> {
  const moves = await readMoves(join(tree.gitDir, "logs/HEAD"));
  const on = moves.findLastIndex(({ how }) => how === `ralpher: on ${branch}`);
  const start = on < 0 ? -1 : moves.findIndex(({ to }, index) => index >= on && to === since);
  return new Set(start < 0 ? [] : moves.slice(start + 1).map(({ line }) => line));
}

/** Where a branch was before the newest of its moves that were made in the tree. */
function madeHere(moves: Move[], made: Set<string>, tip: string): string {
  let before = tip;
  for (const move of moves.reverse()) {
    if (move.to !== before || !made.has(move.line)) break;
    before = move.from;
  }
  return before;
}
