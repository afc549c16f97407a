import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { Fault } from "@ralpher/contract";

/** A path as the vault has it: from its root, with a leading slash. Not checked for where it leads. */
export function fromRoot(path: string): string {
  return `/${path
    .split("/")
    .filter((name) => name !== "" && name !== ".")
    .join("/")}`;
}

/** Why this path cannot be one of the vault's, before anything is read; null when it can. */
export function whyNotWithin(root: string, path: string): string | null {
  if (path.includes("\0")) return "it has a character that no path may have";
  if (path.split(/[\\/]/).includes("..")) return "it must not lead out of the vault with ..";
  if (path === "~" || path.startsWith("~/"))
    return "a home folder is not in the vault; give the path from the vault's root";
  if (/^[A-Za-z]:[\\/]/.test(path)) return "give the path from the vault's root, with a leading slash";
  if (`${path}/`.startsWith(`${root}/`)) return `paths begin at the vault's root: ${fromRoot(path.slice(root.length))}`;
  return null;
}

/**
 * Where a path of the vault is on disk: absolute, symlinks resolved as far as it exists; null when it leads out of the
 * vault.
 */
export async function findWithin(root: string, path: string): Promise<string | null> {
  if (whyNotWithin(root, path) !== null) return null;
  const real = await realPath(join(root, path));
  return isWithin(root, real) ? real : null;
}

/** @throws Fault `vault_unusable` */
export async function requireWithin(root: string, path: string): Promise<string> {
  const found = await findWithin(root, path);
  if (found === null) throw new Fault("vault_unusable", { path, detail: "it leads out of the vault", isWithin: true });
  return found;
}

export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The path of the vault that an absolute one is. */
export function toVaultPath(root: string, absolute: string): string {
  return `/${relative(root, absolute).split(sep).join("/")}`;
}

/**
 * With the symlinks of what is there resolved; what is not there yet is added to it. A link to nowhere counts. The last
 * name is looked at by itself: `realpath` opens what it is given, and of a file that is renamed at that moment it tells the
 * new name.
 */
async function realPath(path: string, links = 0): Promise<string> {
  if (dirname(path) === path) return path;
  const target = links < mostLinks ? await readlink(path).catch(() => null) : null;
  if (target !== null) return await realPath(resolve(dirname(path), target), links + 1);
  return join(await realFolder(dirname(path), links), basename(path));
}

async function realFolder(path: string, links: number): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
    return await realPath(path, links);
  }
}

/** As many as Linux follows. */
const mostLinks = 40;
