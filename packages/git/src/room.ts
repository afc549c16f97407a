import { mkdir, realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { Fault } from "@ralpher/contract";
import { gitEnvironment } from "./git-environment.ts";
import { askVersion, requireVersion } from "./git-version.ts";
import { createIdentity, type Identity } from "./identity.ts";
import { createKeyedMutex, type KeyedMutex } from "./keyed-mutex.ts";
import { createGit, type Git, type GitOptions } from "./run-git.ts";

/** What the verbs of this room share. */
export interface Room {
  git: Git;
  /** What git and other programs run in. */
  environment: Readonly<Record<string, string>>;
  identity: Identity;
  /** One at a time per repository (key: its common folder), for what git itself races on. */
  mutex: KeyedMutex;
  /** The folder of all worktrees: made when it is missing, symlinks resolved. @throws Fault `data_root_unusable` */
  root(): Promise<string>;
  /** Git's version. @throws Fault `git_missing`, `git_too_old` */
  version(): Promise<string>;
}

export interface RoomOptions extends GitOptions {
  /** Folder for worktrees, e.g. `<data root>/worktrees`; it need not exist yet. */
  root: string;
}

export function createRoom(options: RoomOptions): Room {
  const git = createGit(options);
  return {
    git,
    environment: gitEnvironment(options.env ?? process.env),
    identity: createIdentity(git),
    mutex: createKeyedMutex(),
    root: once(() => makeRoot(resolve(options.root))),
    version: once(async () => {
      const version = await askVersion(git);
      requireVersion(version);
      return version;
    }),
  };
}

async function makeRoot(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true });
    return await realpath(path);
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new Fault("data_root_unusable", { path, detail }, { cause });
  }
}

/** Do it at the first call and remember the result; a failure is tried again. */
function once<T>(task: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | null = null;
  return () => {
    result ??= task().catch((error: unknown) => {
      result = null;
      throw error;
    });
    return result;
  };
}
