import { randomUUID } from "node:crypto";
import { mkdir, readdir, readlink, rename, rm, stat, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SodaProject } from "@ralpher/contract";
import { safeName } from "./safe-name.ts";
import { ifMissing, usable } from "./usable.ts";

/**
 * Make the captures of a run, which lie in `outputs`, show up below the project's own `outputs/`: by a link, for they
 * are not to be there twice. A link to elsewhere, such as a data folder that was moved away, is replaced; what is no link
 * stays. Links to captures in `outputs` that were deleted are removed. Idempotent.
 */
export async function linkOutputs(project: SodaProject, outputs: string, run: string): Promise<void> {
  const folder = join(project.home, "outputs");
  const name = safeName(run, "run");
  await usable(folder, makeLink(folder, join(folder, name), join(outputs, name)));
  await usable(folder, removeDangling(folder, outputs));
}

async function makeLink(folder: string, path: string, target: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // A run that has no captures yet is not to be taken for one whose captures are gone.
  await mkdir(target, { recursive: true, mode: 0o700 });
  if ((await linkedTo(path)) === target) return;
  const aside = `${path}.${randomUUID()}`;
  await symlink(target, aside, "dir");
  try {
    if ((await linkedTo(path)) !== undefined) await rename(aside, path);
  } finally {
    await rm(aside, { force: true });
  }
}

async function removeDangling(folder: string, outputs: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const target = await linkedTo(path);
    // Other data folders may only be away for a while.
    if (target == null || dirname(target) !== outputs) continue;
    if ((await stat(target).catch(ifMissing(null))) === null) await rm(path, { force: true });
  }
}

/** Null when nothing is there, undefined when it is no link. */
async function linkedTo(path: string): Promise<string | null | undefined> {
  return await readlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    if (error.code === "EINVAL") return undefined;
    throw error;
  });
}
