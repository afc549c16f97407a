import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { requireWithin } from "../vault-path.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** What a crash may leave behind when it comes between writing aside and renaming. */
const leftover = /^\..+\.[0-9a-f-]{36}\.tmp$/;

/** Remove the states of loops that ended longer ago. Nothing else that lies there is touched; what cannot be goes on. */
export async function pruneHistory(root: string, folder: string, keptDays: number, now: Date): Promise<void> {
  const real = await requireWithin(root, folder);
  const oldest = now.getTime() - keptDays * dayMs;
  await removeOlder(real, /^loop_[\w.-]+\.json$/, oldest);
  await removeOlder(real, leftover, now.getTime() - dayMs);
  await removeOlder(join(real, ".."), leftover, now.getTime() - dayMs);
}

async function removeOlder(folder: string, pattern: RegExp, oldest: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!pattern.test(name)) continue;
    const file = join(folder, name);
    const found = await stat(file).catch(() => null);
    if (found?.isFile() && found.mtimeMs < oldest) await rm(file, { force: true }).catch(() => {});
  }
}
