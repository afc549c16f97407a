import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, posix } from "node:path";
import type { TaskConfig, VaultEntry, VaultList } from "@ralpher/contract";
import { findWithin, fromRoot, isWithin } from "../vault-path.ts";

const most = 1_000;

/**
 * Markdown files by folder, hidden ones left out. In a folder below the specs folder that has a `tasks.md` (or `task.md`)
 * that is its only task: what lies beside and below it is its material.
 */
export async function listTasks(root: string, config: TaskConfig): Promise<VaultList> {
  const specs = fromRoot(config.specs_folder);
  const done = fromRoot(config.done_folder);
  const rejected = fromRoot(config.rejected_folder);
  const needsAction = fromRoot(config.needs_action_folder);
  const all = [specs, done, rejected, needsAction, fromRoot(config.logs_folder)];
  const filesIn = async (folder: string, isTasks: boolean) => {
    const others = all.filter((other) => other !== folder && isWithin(folder, other));
    return await newest(root, await walk(root, folder, { others, isTasks, isTop: true }));
  };
  const [open, finished, refused, asked] = await Promise.all([
    filesIn(specs, true),
    filesIn(done, false),
    filesIn(rejected, false),
    filesIn(needsAction, false),
  ]);
  return { open, done: finished, rejected: refused, needsAction: asked };
}

interface Walk {
  /** Folders with a place of their own. */
  others: string[];
  isTasks: boolean;
  isTop: boolean;
}

async function walk(root: string, folder: string, { others, isTasks, isTop }: Walk): Promise<string[]> {
  if (others.includes(folder)) return [];
  const real = await findWithin(root, folder).catch(() => null);
  const entries = real === null ? [] : await readdir(real, { withFileTypes: true }).catch((): Dirent[] => []);
  const seen = entries.filter(({ name }) => !name.startsWith("."));
  const files = seen.filter((entry) => !entry.isDirectory() && /\.(md|markdown)$/i.test(entry.name));
  const tasks = isTasks && !isTop ? files.filter(({ name }) => /^tasks?\.(md|markdown)$/i.test(name)) : [];
  if (tasks.length > 0) return tasks.map(({ name }) => posix.join(folder, name));
  const below: string[] = [];
  // One after the other: a vault may have thousands of folders.
  for (const { name } of seen.filter((entry) => entry.isDirectory())) {
    below.push(...(await walk(root, posix.join(folder, name), { others, isTasks, isTop: false })));
  }
  return [...files.map(({ name }) => posix.join(folder, name)), ...below];
}

async function newest(root: string, paths: string[]): Promise<VaultEntry[]> {
  const entries: { path: string; at: number }[] = [];
  for (const path of paths) {
    const found = await stat(join(root, path)).catch(() => null);
    if (found?.isFile() && (await findWithin(root, path).catch(() => null)) !== null)
      entries.push({ path, at: found.mtimeMs });
  }
  return entries
    .toSorted((a, b) => b.at - a.at)
    .slice(0, most)
    .map(({ path, at }) => ({ path, modifiedAt: new Date(at).toISOString() }));
}
