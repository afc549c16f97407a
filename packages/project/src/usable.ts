import { Fault, isFault } from "@ralpher/contract";

/** What work on a file or folder of SODA's gives. @throws Fault `soda_home_unusable`, `disk_full` */
export async function usable<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isFault(error)) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code === "ENOSPC" || code === "EDQUOT") throw new Fault("disk_full", { path }, { cause: error });
    throw new Fault("soda_home_unusable", { path, detail: message }, { cause: error });
  }
}

/** For files that need not be there. */
export function ifMissing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return instead;
    throw error;
  };
}
