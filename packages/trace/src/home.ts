import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** Trace's folder: `TRACE_HOME`, else `~/.trace`. */
export function traceHome(env: Record<string, string | undefined> = process.env): string {
  const { TRACE_HOME } = env;
  return TRACE_HOME === undefined || TRACE_HOME === "" ? join(homedir(), ".trace") : resolve(TRACE_HOME);
}
