import { SQLiteError } from "bun:sqlite";
import { join } from "node:path";
import { Fault, isFault } from "@ralpher/contract/fault";

/** What an error of the database or of the file system means; any other error is itself. */
export function toFault(path: string, error: unknown): unknown {
  if (isFault(error) || !(error instanceof Error) || !("code" in error)) return error;
  const code = String(error.code);
  if (code === "SQLITE_FULL" || code === "ENOSPC") return new Fault("disk_full", { path }, { cause: error });
  if (code.startsWith("SQLITE_BUSY")) return new Fault("trace_busy", { path }, { cause: error });
  if (code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_NOTADB") {
    return new Fault("database_corrupt", { path: join(path, "trace.db"), detail: error.message }, { cause: error });
  }
  const isOfPlace =
    error instanceof SQLiteError
      ? ["SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_IOERR", "SQLITE_PERM"].some((begin) => code.startsWith(begin))
      : /^E[A-Z]+$/.test(code);
  return isOfPlace ? new Fault("trace_unusable", { path, detail: error.message }, { cause: error }) : error;
}
