import { readdir, stat } from "node:fs/promises";
import { posix } from "node:path";
import type { Namesake, TaskConfig, TaskPlace } from "@ralpher/contract";
import { readText } from "../files/read-text.ts";
import { readFrontMatter } from "../markdown/front-matter.ts";
import { findWithin, fromRoot, isWithin } from "../vault-path.ts";
import { stemOf } from "./parse-task.ts";

const tries = 3;
const againMs = 60;

export interface Found {
  place: TaskPlace;
  path: string | null;
}

/**
 * Where a task is that was taken up as `file`. As long as there is a file of that path, it is there. Else it was moved
 * to done or rejected, whichever holds, in this order:
 *
 *     the same path below the folder           /Specs/auth/tasks.md → /Done/auth/tasks.md
 *     the end of that path                      /Specs/web/auth/tasks.md → /Done/auth/tasks.md, /Done/tasks.md
 *     its folder's name                         /Specs/auth/tasks.md → /Done/auth.md
 *     one of these with a number                /Done/auth/tasks-2.md
 *
 * Names are the same however their accents are encoded, and in whatever case when none is the same to the letter. A file
 * whose front matter has another `task_id` than `id` is another task, and so are those of `except` while they are as they
 * were.
 */
export async function findTask(root: string, config: TaskConfig, file: string, seek: Seek = {}): Promise<Found> {
  for (let tried = 1; ; tried++) {
    const found = await look(root, config, fromRoot(file), seek);
    // Some editors rename the old file away before they write the new one; that is no move.
    if (found.place === "open" || tried === tries) return found;
    if (found.place === "gone") await Bun.sleep(againMs);
    else return found;
  }
}

interface Seek {
  id?: string | undefined;
  except?: readonly Namesake[] | undefined;
}

async function look(root: string, config: TaskConfig, file: string, { id, except = [] }: Seek): Promise<Found> {
  const here = await findByName(root, file);
  // One that was taken up from there lies there, and is no news.
  if (here !== null) {
    return { place: placesOf(config).find(({ folder }) => isWithin(folder, file))?.place ?? "open", path: here };
  }
  for await (const found of matches(root, config, file, id)) {
    if (!(await isExcepted(root, found.path, except))) return found;
  }
  return { place: "gone", path: null };
}

/** What lies among finished tasks and would be taken for the task, as it is now. */
export async function findNamesakes(
  root: string,
  config: TaskConfig,
  file: string,
  id: string | undefined,
): Promise<Namesake[]> {
  const here = await findByName(root, fromRoot(file));
  const found = new Map<string, Namesake>();
  for await (const { path } of matches(root, config, fromRoot(file), id)) {
    if (path !== here && !found.has(path)) found.set(path, { path, sha: await shaOf(root, path) });
  }
  return [...found.values()];
}

async function isExcepted(root: string, path: string, except: readonly Namesake[]): Promise<boolean> {
  const known = except.filter((other) => other.path === path);
  if (known.length === 0) return false;
  const sha = await shaOf(root, path);
  return known.some((other) => other.sha === sha);
}

async function shaOf(root: string, path: string): Promise<string> {
  const file = await findWithin(root, path).catch(() => null);
  const found = file === null ? null : await readText(file).catch(() => null);
  return found === null || "why" in found ? "" : found.sha;
}

function placesOf(config: TaskConfig) {
  return [
    { place: "done", folder: fromRoot(config.done_folder) },
    { place: "rejected", folder: fromRoot(config.rejected_folder) },
  ] as const;
}

/** In their order. */
async function* matches(root: string, config: TaskConfig, file: string, id: string | undefined) {
  for (const { place, folder } of placesOf(config)) {
    for (const candidate of candidates(config, file, folder)) {
      const path = await findByName(root, candidate);
      if (path !== null && (await isTask(root, path, id))) yield { place, path };
    }
    for (const candidate of candidates(config, file, folder)) {
      for (const path of await findNumbered(root, candidate)) if (await isTask(root, path, id)) yield { place, path };
    }
  }
}

function candidates(config: TaskConfig, file: string, folder: string): string[] {
  const names = belowFolder(config, file).split("/");
  const ends = names.map((_, index) => names.slice(index).join("/"));
  const parent = names.at(-2);
  const extension = posix.extname(file);
  return [...ends, ...(parent === undefined ? [] : [`${parent}${extension}`])].map((end) => posix.join(folder, end));
}

/** A task's path from the specs folder; of one that lies elsewhere, its name. */
export function belowFolder(config: TaskConfig, file: string): string {
  const homes = [config.specs_folder, config.done_folder, config.rejected_folder].map(fromRoot);
  const home = homes.filter((folder) => isWithin(folder, file)).toSorted((a, b) => b.length - a.length)[0];
  return home === undefined ? posix.basename(file) : posix.relative(home, file);
}

async function isTask(root: string, path: string, id: string | undefined): Promise<boolean> {
  if (id === undefined) return true;
  const said = await taskIdOf(root, path);
  return said === null || said.normalize() === id.normalize();
}

async function taskIdOf(root: string, path: string): Promise<string | null> {
  const file = await findWithin(root, path);
  const found = file === null ? null : await readText(file).catch(() => null);
  if (found === null || "why" in found) return null;
  const { task_id } = readFrontMatter(found.text).data;
  return typeof task_id === "string" || typeof task_id === "number" ? String(task_id).trim() : null;
}

/** `tasks-2.md`, `tasks-3.md`, …, which is what a move makes where a name is taken; the newest first. */
async function findNumbered(root: string, path: string): Promise<string[]> {
  const folder = await findByName(root, posix.dirname(path));
  if (folder === null) return [];
  const stem = stemOf(path).normalize();
  const numbers = (await namesIn(root, folder))
    .flatMap((name) => {
      const [, begin, number] = /^(.*)-(\d+)\.\w+$/.exec(name.normalize()) ?? [];
      return begin === stem && posix.extname(name) === posix.extname(path) ? [{ name, number: Number(number) }] : [];
    })
    .toSorted((a, b) => b.number - a.number);
  const files: string[] = [];
  for (const { name } of numbers) {
    const found = posix.join(folder, name);
    if (await isFile(root, found)) files.push(found);
  }
  return files;
}

/** A path as it is spelled on disk; null when there is none that means the same. */
export async function findByName(root: string, path: string): Promise<string | null> {
  const file = await findWithin(root, path).catch(() => null);
  if (file !== null && (await stat(file).catch(() => null)) !== null) return path;
  let found = "/";
  for (const name of path.split("/").filter((part) => part !== "")) {
    const spelled = sameName(await namesIn(root, found), name);
    if (spelled === null) return null;
    found = posix.join(found, spelled);
  }
  return found;
}

function sameName(names: string[], name: string): string | null {
  const spellings = [(text: string) => text.normalize(), (text: string) => text.normalize().toLowerCase()];
  for (const spell of spellings) {
    const [only, ...more] = names.filter((other) => spell(other) === spell(name));
    if (only !== undefined && more.length === 0) return only;
  }
  return null;
}

async function namesIn(root: string, folder: string): Promise<string[]> {
  const real = await findWithin(root, folder).catch(() => null);
  return real === null ? [] : await readdir(real).catch(() => []);
}

async function isFile(root: string, path: string): Promise<boolean> {
  const file = await findWithin(root, path).catch(() => null);
  return file !== null && ((await stat(file).catch(() => null))?.isFile() ?? false);
}
