import { constants } from "node:fs";
import { open, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import type { Workspace } from "@ralpher/contract";

const maxBytes = 2 * 1024 * 1024;

/**
 * The text of a file below the workspace's folder, its first 2 MB at most; null when there is none. A path that leaves
 * the folder, by itself or over a symlink, names no file of it; neither does one into `.git`, where passwords may be.
 */
export async function readFile(workspace: Workspace, path: string): Promise<string | null> {
  if (path === "" || path.includes("\0") || isAbsolute(path)) return null;
  const root = await realpath(workspace.directory).catch(() => null);
  const target = await realpath(join(workspace.directory, path)).catch(() => null);
  if (root === null || target === null) return null;
  const inside = relative(root, target).split(sep);
  if (isAbsolute(relative(root, target)) || inside.some((part) => part === ".." || part.toLowerCase() === ".git")) {
    return null;
  }
  // Opening a pipe would wait for its writer.
  if (!(await stat(target).catch(() => null))?.isFile()) return null;
  const file = await open(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (file === null) return null;
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
    // Streaming leaves out a character that the limit cut in two.
    return new TextDecoder().decode(buffer.subarray(0, bytesRead), { stream: bytesRead === maxBytes });
  } finally {
    await file.close();
  }
}
