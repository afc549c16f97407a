import { isAbsolute, join, normalize, relative } from "node:path";
import { Fault, type GitWorkspace } from "@ralpher/contract";
import { requireCommitName, unknownCommit } from "./commit-name.ts";
import { findTop, requireHome } from "./home.ts";
import type { Room } from "./room.ts";

const maxBytes = 1024 * 1024;

/**
 * The text of a file as a commit has it, by its path from the workspace's folder; null when the commit has no such file.
 * A symlink is none: what it points to is not in the commit. The worktree need not be there.
 * @throws Fault `not_found` for the commit, `too_large` for more than 1 MB, and for what is no text
 */
export async function readCommittedFile(
  room: Room,
  workspace: GitWorkspace,
  path: string,
  commit: string,
): Promise<string | null> {
  requireCommitName(commit);
  const inside = normalize(path);
  if (path === "" || path.includes("\0") || isAbsolute(path) || /^\.\.?(\/|$)/.test(inside)) return null;
  const home = await requireHome(workspace);
  const call = { cwd: home.top };
  const from = join(await prefixOf(room, workspace), inside);
  const listed = await room.git.run(["ls-tree", "-z", "-l", "--full-tree", `${commit}^{commit}`, "--", from], call);
  if (listed.code !== 0) throw unknownCommit(commit);
  // `<mode> <type> <id> <size> TAB <path> NUL`; for a folder that ends with a slash, what is in it.
  const [, mode = "", blob = "", size, found] = /^(\d+) \w+ (\w+) +(\S+)\t([^\0]*)\0$/.exec(listed.stdout) ?? [];
  if (!mode.startsWith("100") || found !== from) return null;
  if (Number(size) > maxBytes) throw new Fault("too_large", { what: `file ${path}`, limit: "1 MB" });
  const text = await room.git.output(["cat-file", "blob", blob], call);
  if (text.includes("\0")) {
    throw new Fault("too_large", { what: `binary file ${path}`, limit: "what can be shown as text" });
  }
  return text;
}

/** Where the workspace's folder is in its tree: empty for the top. */
async function prefixOf(room: Room, workspace: GitWorkspace): Promise<string> {
  const top = await findTop(room, workspace);
  return top === null ? "" : relative(top, workspace.directory);
}
