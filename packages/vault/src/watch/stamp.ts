import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** A text that changes when a file or folder comes, goes or is written. */
export async function stampOf(folder: string, isDeep: boolean): Promise<string> {
  const hash = new Bun.CryptoHasher("sha1");
  await addFolder(hash, folder, isDeep);
  return hash.digest("hex");
}

async function addFolder(hash: Bun.CryptoHasher, folder: string, isDeep: boolean): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const found = await stat(path).catch(() => null);
    hash.update(`${entry.name}\0${found?.ino}\0${found?.size}\0${found?.mtimeMs}\n`);
    if (isDeep && entry.isDirectory()) await addFolder(hash, path, isDeep);
  }
}
