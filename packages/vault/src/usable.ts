import { Fault, isFault } from "@ralpher/contract";

/** What work on a vault's file or folder gives. @throws Fault `vault_unusable`, `disk_full` */
export async function usable<T>(path: string, work: Promise<T>): Promise<T> {
  return await orFault(path, work, (detail, cause) => new Fault("vault_unusable", { path, detail }, { cause }));
}

/** The same for a task file. @throws Fault `task_file_unusable`, `disk_full` */
export async function usableTask<T>(path: string, work: Promise<T>): Promise<T> {
  return await orFault(path, work, (detail, cause) => new Fault("task_file_unusable", { path, detail }, { cause }));
}

async function orFault<T>(path: string, work: Promise<T>, fault: (detail: string, cause: unknown) => Fault) {
  try {
    return await work;
  } catch (error) {
    if (isFault(error)) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code === "ENOSPC" || code === "EDQUOT") throw new Fault("disk_full", { path }, { cause: error });
    throw fault(reasons[code] ?? code, error);
  }
}

const reasons: Record<string, string> = {
  ENOENT: "there is no such file",
  ENOTDIR: "a folder in its path is a file",
  EISDIR: "it is a folder",
  EACCES: "Ralpher may not read or write it",
  EPERM: "Ralpher may not change it",
  EROFS: "it is on a file system that cannot be written",
  ELOOP: "its symbolic links lead round in a circle",
  ENAMETOOLONG: "its name is too long",
};

/** For files that need not be there. */
export function ifMissing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return instead;
    throw error;
  };
}
