import { SQLiteError } from "bun:sqlite";
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { Fault } from "@ralpher/contract";

/** Run something that touches the database; what the disk or the file can cause comes out as a Fault. */
export function withFaults<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toFault(path, error);
  }
}

/** What an error of the database means; any other error is itself. */
export function toFault(path: string, error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error;
  const code = error.code ?? "";
  if (code === "SQLITE_FULL" || (code.startsWith("SQLITE_IOERR") && isFull(dirname(path)))) {
    return new Fault("disk_full", { path: dirname(path) }, { cause: error });
  }
  if (code.startsWith("SQLITE_BUSY")) return new Fault("database_busy", { path }, { cause: error });
  if (code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_NOTADB") {
    return new Fault("database_corrupt", { path, detail: error.message }, { cause: error });
  }
  if (["SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_IOERR", "SQLITE_PERM"].some((c) => code.startsWith(c))) {
    return new Fault("data_root_unusable", { path: dirname(path), detail: error.message }, { cause: error });
  }
  return error;
}

/** SQLite calls it an I/O error when the disk has no room for its small shared-memory file (32 KiB). */
function isFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < 64 * 1024;
  } catch {
    return false;
  }
}
