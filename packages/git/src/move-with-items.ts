import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isFault } from "@ralpher/contract";
import { itemsPath, mergeItems } from "./merge-items.ts";
import { type BranchMove, moveCheckedOut } from "./move-branch.ts";
import { findItems, mayResolve, stageItems } from "./resolve-items.ts";
import type { Room } from "./room.ts";
import { readText, type Tree } from "./tree.ts";

/**
 * Move a branch together with the files of the checkout it is in, also when uncommitted work items, and nothing else, are
 * in the way: a human who used `trc` there has some nearly always. They are merged with those that arrive, and stay
 * uncommitted. False when the branch is no longer where it was. @throws Fault `target_not_clean`
 */
export async function moveWithItems(room: Room, home: Tree, place: string, move: BranchMove): Promise<boolean> {
  const { git } = room;
  try {
    return await moveCheckedOut(git, home, place, move);
  } catch (error) {
    if (!isFault(error, "target_not_clean") || !mayResolve(error.data.files)) throw error;
    const lying = await readText(join(place, itemsPath));
    const arriving = await findItems(room, place, move.to);
    const merged = lying === null || arriving === null ? null : mergeItems(arriving.text, lying);
    if (merged === null || arriving === null) throw error;
    // Git leaves a file alone whose version in the index is the one that arrives.
    await stageItems(room, arriving.blob, { cwd: place });
    const moved = await moveCheckedOut(git, home, place, move).catch(async (again) => {
      await git.run(["reset", "--quiet", "--", itemsPath], { cwd: place });
      throw again;
    });
    if (moved) await replaceItems(place, merged);
    return moved;
  }
}

/** In one step, so that nobody reads half of it. */
async function replaceItems(place: string, text: string): Promise<void> {
  const path = join(place, itemsPath);
  const temporary = `${path}.ralpher.tmp`;
  await writeFile(temporary, text);
  await rename(temporary, path);
}
