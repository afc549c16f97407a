import { randomUUID } from "node:crypto";
import { copyFile, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { Tree } from "./tree.ts";

/** Let a task stage things in a copy of the tree's index; the tree's own stays as the agent or the user left it. */
export async function withScratchIndex<T>(
  tree: Tree,
  task: (env: { GIT_INDEX_FILE: string }) => Promise<T>,
): Promise<T> {
  const index = join(tree.gitDir, "index");
  return withEmptyIndex(tree, async (env) => {
    const scratch = env.GIT_INDEX_FILE;
    const original = await stat(index).catch(() => null);
    if (original !== null) {
      await copyFile(index, scratch);
      // Git looks into files as young as the index, for they may have changed in the same instant. A younger copy
      // would make it trust them.
      const seconds = Math.floor(original.mtimeMs) / 1_000;
      await utimes(scratch, seconds, seconds);
    }
    return await task(env);
  });
}

/** The same with an index that holds nothing yet. */
export async function withEmptyIndex<T>(tree: Tree, task: (env: { GIT_INDEX_FILE: string }) => Promise<T>): Promise<T> {
  const scratch = join(tree.gitDir, `ralpher-index-${randomUUID()}`);
  try {
    return await task({ GIT_INDEX_FILE: scratch });
  } finally {
    await rm(scratch, { force: true });
    await rm(`${scratch}.lock`, { force: true });
  }
}
