import { stat } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { Fault } from "@ralpher/contract";
import { findWithin, fromRoot, isWithin, toVaultPath } from "../vault-path.ts";
import { findByName } from "./place.ts";

/** @throws Fault `task_file_unusable` */
export async function resolveTask(root: string, text: string, from: string): Promise<string> {
  const unusable = (detail: string) => new Fault("task_file_unusable", { path: text, detail });
  if (text.trim() === "" || text.includes("\0")) throw unusable("it is no path");
  // As the shell means it, then from the root of the vault.
  const onDisk = [isAbsolute(text) ? text : resolve(from, text), join(root, text)];
  let isOutside = false;
  let isFolder = false;
  for (const path of onDisk) {
    const real = await realWithin(root, path);
    isOutside ||= real === null && (await stat(path).catch(() => null)) !== null;
    if (real === null) continue;
    const found = await findByName(root, toVaultPath(root, real));
    if (found === null) continue;
    const file = await stat(join(root, found)).catch(() => null);
    if (file?.isFile()) return fromRoot(found);
    isFolder ||= file?.isDirectory() ?? false;
  }
  if (isFolder) throw unusable("it is a folder");
  throw unusable(isOutside ? `it is not in the vault ${root}` : "there is no such file in the vault");
}

/** What was given may lead to the vault through a symlink. */
async function realWithin(root: string, path: string): Promise<string | null> {
  if (isWithin(root, path) && (await findWithin(root, path.slice(root.length))) === null) return null;
  const real = await findReal(path);
  return isWithin(root, real) ? real : null;
}

async function findReal(path: string): Promise<string> {
  return (await findWithin("/", path)) ?? path;
}
