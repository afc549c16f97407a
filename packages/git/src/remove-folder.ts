import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "@ralpher/contract";

/** Remove a folder and all in it; none is fine. @throws Fault `data_root_unusable` when something cannot be removed */
export async function removeFolder(path: string): Promise<void> {
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 3 });
  try {
    await remove().catch(async () => {
      await unprotect(path);
      await remove();
    });
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new Fault("data_root_unusable", { path, detail }, { cause });
  }
}

/** Package caches (Go's, for one) make their folders read-only, and then nothing in them can be removed. */
async function unprotect(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await unprotect(join(folder, entry.name));
  }
}
