import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { DirectoryEntry } from "@ralpher/contract";

const most = 50;

/**
 * The folders whose path begins with this text, by name, at most 50. Hidden ones only when the name's beginning is
 * given with its dot. `~/` is the home folder. What cannot be read has none.
 */
export async function listDirectories(prefix: string): Promise<DirectoryEntry[]> {
  const whole = prefix === "~" || prefix.startsWith("~/") ? homedir() + prefix.slice(1) : prefix;
  if (!isAbsolute(whole)) return [];
  const cut = whole.lastIndexOf("/") + 1;
  const [parent, beginning] = [whole.slice(0, cut), whole.slice(cut)];
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  const candidates = entries
    .filter(({ name }) => name.startsWith(beginning) && (beginning.startsWith(".") || !name.startsWith(".")))
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
  const found: DirectoryEntry[] = [];
  for (const entry of candidates) {
    const path = join(parent, entry.name);
    if (entry.isSymbolicLink() && !(await isDirectory(path))) continue;
    found.push({ path, repository: await exists(join(path, ".git")) });
    if (found.length === most) break;
  }
  return found;
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}

/** A worktree or a submodule has a file there. */
async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
