import { createReadStream } from "node:fs";
import { appendFile, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Captures, type CapturesIntake, Fault, type LoopId } from "@ralpher/contract";

/** What is taken in lies under such a name until it is kept; a dot, so that no list shows it. */
const asidePrefix = ".intake-";
/** What a process left aside that died is removed after so long. */
const forgottenMs = 24 * 60 * 60 * 1000;

/** Does this folder, seen from the root, hold what is being taken in? */
export const isAside = (folder: string): boolean => folder.startsWith(asidePrefix);

/** The captured conversations below a folder, which has one folder for each loop. It need not exist. */
export function createCaptures(root: string): Captures {
  return {
    async list(loopId) {
      const entries = await readdir(join(root, loopId), { withFileTypes: true }).catch(ifMissing([]));
      // Their names begin with the time.
      return entries
        .filter((entry) => entry.isFile() && entry.name.endsWith(".jsonl"))
        .map(({ name }) => name)
        .sort();
    },
    async *read(loopId, name) {
      const path = join(root, loopId, name);
      const { size } = await stat(path).catch(ifMissing({ size: 0 }));
      if (size > 0) yield* createReadStream(path, { encoding: "utf8", end: size - 1 });
    },
    openIntake: () => openIntake(root),
    remove: (loopId) => rm(join(root, loopId), { recursive: true, force: true }),
  };
}

function openIntake(root: string): CapturesIntake {
  const aside = join(root, `${asidePrefix}${crypto.randomUUID()}`);
  let begun: Promise<unknown> | null = null;
  return {
    async write(name, text) {
      begun ??= begin(root, aside);
      await told(root, begun);
      await told(root, appendFile(join(aside, name), text, { mode: 0o600 }));
    },
    async keep(loopId: LoopId) {
      if (begun === null) return;
      const home = join(root, loopId);
      await rm(home, { recursive: true, force: true });
      await told(root, rename(aside, home));
    },
    [Symbol.asyncDispose]: () => rm(aside, { recursive: true, force: true }),
  };
}

async function begin(root: string, aside: string): Promise<void> {
  for (const name of await readdir(root).catch(ifMissing([]))) {
    if (!name.startsWith(asidePrefix)) continue;
    const { mtimeMs } = await stat(join(root, name)).catch(ifMissing({ mtimeMs: 0 }));
    if (Date.now() - mtimeMs > forgottenMs) await rm(join(root, name), { recursive: true, force: true });
  }
  await mkdir(aside, { recursive: true, mode: 0o700 });
}

async function told<T>(root: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC") throw new Fault("disk_full", { path: root }, { cause: error });
    throw new Fault("data_root_unusable", { path: root, detail: message }, { cause: error });
  }
}

function ifMissing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === "ENOENT") return instead;
    throw error;
  };
}
