import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { git } from "@ralpher/loop/lab";

/** A temporary folder that is removed when the benchmark is done with it. */
export async function openFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), "ralpher-bench-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** A repository with so many small files in folders of a hundred, and one commit. */
export async function makeRepository(path: string, files: number): Promise<void> {
  await mkdir(path, { recursive: true });
  await git(path, "init", "-q", "-b", "main");
  await git(path, "config", "user.name", "Bench");
  await git(path, "config", "user.email", "bench@localhost");
  await git(path, "config", "gc.auto", "0");
  for (let n = 0; n < files; n++) {
    const file = join(path, `folder-${Math.floor(n / 100)}`, `file-${n}.txt`);
    if (n % 100 === 0) await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `file ${n}\n`);
  }
  await git(path, "add", "-A");
  await git(path, "commit", "-q", "-m", "first");
}
