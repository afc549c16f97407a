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
  const [open, done, rejected, needsAction] = await Promise.all([
    listOpenTasks(root, config),
    filesIn(root, config, "done_folder"),
    filesIn(root, config, "rejected_folder"),
    filesIn(root, config, "needs_action_folder"),
  ]);
  return { open, done, rejected, needsAction };
}

export async function listOpenTasks(root: string, config: TaskConfig): Promise<VaultEntry[]> {
  return await filesIn(root, config, "specs_folder");
}

const folders = ["specs_folder", "done_folder", "rejected_folder", "needs_action_folder", "logs_folder"] as const;

async function filesIn(root: string, config: TaskConfig, key: (typeof folders)[number]): Promise<VaultEntry[]> {
  const folder = fromRoot(config[key]);
  const others = folders.map((other) => fromRoot(config[other]));
  const within = others.filter((other) => other !== folder && isWithin(folder, other));
  const paths = await walk(root, folder, { others: within, isTasks: key === "specs_folder", isTop: true });
  return await newest(root, paths);
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
