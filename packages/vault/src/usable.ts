import { Fault, isFault } from "@ralpher/contract";

/** What work on a file or folder in a vault gives. @throws Fault `vault_unusable`, `disk_full` */
export async function usable<T>(path: string, work: Promise<T>): Promise<T> {
  const fault = (detail: string, cause: unknown) =>
    new Fault("vault_unusable", { path, detail, isWithin: true }, { cause });
  return await orFault(path, work, fault);
}

/** The same for the folder that is a vault, or would be. @throws Fault `vault_unusable`, `disk_full` */
export async function usableRoot<T>(path: string, work: Promise<T>): Promise<T> {
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
    throw fault(reasons[code] ?? `the system says ${code}`, error);
  }
}

const reasons: Record<string, string> = {
  ENOENT: "there is no such file",
  ENOTDIR: "a folder in its path is a file",
  EISDIR: "it is a folder",
  ERR_FS_EISDIR: "it is a folder",
  EEXIST: "a folder in its path is a file",
  ENOTEMPTY: "it is a folder with something in it",
  EACCES: "Ralpher may not read or write it",
  EPERM: "Ralpher may not change it",
  EROFS: "it is on a file system that cannot be written",
  ELOOP: "its symbolic links lead round in a circle",
  ENAMETOOLONG: "its name is too long",
  EINVAL: "its file system takes no such name",
  EILSEQ: "its file system takes no such name",
  EBUSY: "another program keeps it in use",
  ETXTBSY: "another program keeps it in use",
  EMFILE: "too many files are open; close some programs, or raise the limit (ulimit -n)",
  ENFILE: "too many files are open; close some programs, or raise the limit (ulimit -n)",
  EFBIG: "it would be larger than its file system takes",
  EXDEV: "it lies on another file system than the rest of the vault",
  EIO: "its disk cannot be read or written; look whether it is broken",
  ESTALE: "its network drive is not connected any more",
  ENOTCONN: "its network drive is not connected any more",
  EHOSTDOWN: "its network drive is not connected any more",
  ETIMEDOUT: "its network drive does not answer",
  ENXIO: "it is no plain file",
};

/** For files that need not be there. */
export function ifMissing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return instead;
    throw error;
  };
}
