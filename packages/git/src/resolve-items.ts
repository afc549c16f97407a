import { itemsPath, mergeItems } from "./merge-items.ts";
import type { Room } from "./room.ts";

/** In what index, and in which tree. */
interface Where {
  cwd: string;
  env?: Record<string, string>;
}

/** Is the file of work items the one conflict? */
export function mayResolve(files: readonly string[]): boolean {
  return files.length === 1 && files[0] === itemsPath;
}

/**
 * The tree that two commits merge to when the file of work items alone conflicts: both sides' items, in the index that
 * has the rest of the merge. Null when a side has no such file, or it cannot be read.
 */
export async function resolveItems(
  room: Room,
  { ours, theirs }: { ours: string; theirs: string },
  where: Where,
): Promise<string | null> {
  const { git } = room;
  const mine = await findItems(room, where.cwd, ours);
  const others = await findItems(room, where.cwd, theirs);
  const merged = mine === null || others === null ? null : mergeItems(mine.text, others.text);
  if (merged === null) return null;
  const blob = (await git.output(["hash-object", "-w", "--stdin"], { ...where, stdin: merged })).trim();
  await stageItems(room, blob, where);
  return (await git.output(["write-tree"], where)).trim();
}

/** The file of work items in a commit; null when that has none, or a symlink or submodule in its place. */
export async function findItems(
  { git }: Room,
  cwd: string,
  commit: string,
): Promise<{ blob: string; text: string } | null> {
  const entry = await git.output(["ls-tree", "--full-tree", commit, "--", itemsPath], { cwd });
  const blob = /^100\d+ blob ([0-9a-f]+)\t/.exec(entry)?.[1];
  return blob === undefined ? null : { blob, text: await git.output(["cat-file", "blob", blob], { cwd }) };
}

/** Put a version of the file into an index; whatever lies in the tree stays. */
export async function stageItems({ git }: Room, blob: string, where: Where): Promise<void> {
  await git.output(["update-index", "--add", "--cacheinfo", `100644,${blob},${itemsPath}`], where);
}
