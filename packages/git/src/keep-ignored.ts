import { cp, lstat, mkdir, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { foldersOf } from "./move-branch.ts";
import { removeFolder } from "./remove-folder.ts";
import type { Room } from "./room.ts";
import { readText, type Tree } from "./tree.ts";

/**
 * Ignored files whose rule is about to be taken back. Git leaves them where they are, and the next save would commit
 * them: secrets, a folder of packages. They go to a folder beside the tree, `<root>/<key>.aside/<name>`, and into no
 * commit. What is to go there is written down first, so that whoever comes after a process that died goes on with it.
 */
interface Plan {
  folder: string;
  /** From the top of the tree. */
  paths: string[];
}

const asideOf = async (room: Room, key: string) => join(await room.root(), `${key}.aside`);
const planOf = async (room: Room, key: string) => join(await asideOf(room, key), ".plan");

/**
 * To be called before the tree is taken back from the commit `now`, a snapshot of it, to `since`. Where no rule changes,
 * it is one process. Ignored files in the place of ones that come back are moved at once, for they would be overwritten.
 */
export async function planIgnored(
  room: Room,
  tree: Tree,
  { key, name, now, since }: { key: string; name: string; now: string; since: string },
): Promise<void> {
  const flags = ["-r", "-z", "--name-status", "--no-renames", "--no-relative", "--ignore-submodules=dirty"];
  const changes = await room.git.output(["diff-tree", ...flags, since, now, "--"], { cwd: tree.top });
  const fields = changes.split("\0");
  const returning: string[] = [];
  let isRuleChanged = false;
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const path = fields[at + 1] ?? "";
    if (path === ".gitignore" || path.endsWith("/.gitignore")) isRuleChanged = true;
    if (fields[at] === "D" && (await isThere(join(tree.top, path)))) returning.push(path);
  }
  if (!isRuleChanged && returning.length === 0) return;
  const args = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
  const ignored = isRuleChanged ? await room.git.output(args, { cwd: tree.top }) : "";
  const paths = ignored.split("\0").flatMap((path) => (path === "" ? [] : [path.replace(/\/$/, "")]));
  const folder = await freeFolder(join(await asideOf(room, key), name));
  await mkdir(folder, { recursive: true });
  const file = await planOf(room, key);
  await writeFile(`${file}.tmp`, JSON.stringify({ folder, paths } satisfies Plan));
  await rename(`${file}.tmp`, file);
  for (const path of returning) await moveOut(tree, path, folder);
}

/**
 * Move what is planned and is no longer ignored, and forget the plan. Returns the folder that something is in; null when
 * there was nothing to move. Idempotent.
 */
export async function moveIgnored(room: Room, tree: Tree, key: string): Promise<string | null> {
  const file = await planOf(room, key);
  const text = await readText(file);
  if (text === null) return null;
  const { folder, paths }: Plan = JSON.parse(text);
  for (const path of await findBared(room, tree, paths)) await moveOut(tree, path, folder);
  const isEmpty = (await readdir(folder).catch(() => [])).length === 0;
  if (isEmpty) await rmdir(folder).catch(() => {});
  await rm(file, { force: true });
  return isEmpty ? null : folder;
}

/** Of paths that were ignored those that are neither ignored now nor tracked. */
async function findBared({ git }: Room, tree: Tree, paths: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) if (await isThere(join(tree.top, path))) found.push(path);
  const stdin = found.map((path) => `${path}\0`).join("");
  // It ends with 1 when it found none; whatever it does not name is better out of the way.
  const { stdout } = await git.run(["check-ignore", "-z", "--stdin"], { cwd: tree.top, stdin });
  const ignored = new Set(stdout.split("\0"));
  const tracked = new Set((await git.output(["ls-files", "-z"], { cwd: tree.top })).split("\0"));
  const shared = new Set([...tracked].flatMap(foldersOf));
  const bared = found.filter((path) => !ignored.has(path) && !tracked.has(path));
  const mixed = bared.filter((path) => shared.has(path));
  if (mixed.length === 0) return bared;
  const args = ["--literal-pathspecs", "ls-files", "-z", "--others", "--exclude-standard", "--", ...mixed];
  const inMixed = (await git.output(args, { cwd: tree.top })).split("\0").filter((path) => path !== "");
  return [...bared.filter((path) => !shared.has(path)), ...inMixed];
}

/** Remove all that was moved out of the tree of a loop. */
export async function removeIgnored(room: Room, key: string): Promise<void> {
  await removeFolder(await asideOf(room, key));
}

async function moveOut(tree: Tree, path: string, folder: string): Promise<void> {
  const [from, to] = [join(tree.top, path), join(folder, path)];
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    // In place, the tree may be on another disk.
    if (error.code !== "EXDEV") throw error;
    await cp(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    await rm(from, { recursive: true, force: true });
  });
}

async function freeFolder(wanted: string): Promise<string> {
  for (let number = 1; ; number++) {
    const folder = number === 1 ? wanted : `${wanted}-${number}`;
    if (!(await isThere(folder))) return folder;
  }
}

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );
