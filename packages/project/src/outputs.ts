import { randomUUID } from "node:crypto";
import { mkdir, readlink, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { SodaProject } from "@ralpher/contract";
import { safeName } from "./safe-name.ts";
import { usable } from "./usable.ts";

/**
 * Make the captures of a run, which lie in `outputs`, show up below the project's own `outputs/`: by a link, for they
 * are not to be there twice. A link to elsewhere, such as a data folder that was moved away, is replaced; what is no link
 * stays. Idempotent.
 */
export async function linkOutputs(project: SodaProject, outputs: string, run: string): Promise<void> {
  const folder = join(project.home, "outputs");
  const name = safeName(run, "run");
  await usable(folder, makeLink(folder, join(folder, name), join(outputs, name)));
}

async function makeLink(folder: string, path: string, target: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await linkedTo(path)) === target) return;
  const aside = `${path}.${randomUUID()}`;
  await symlink(target, aside, "dir");
  try {
    if ((await linkedTo(path)) !== undefined) await rename(aside, path);
  } finally {
    await rm(aside, { force: true });
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
