import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** SODA's folder: `SODA_HOME`, else `~/.soda`. */
export function sodaHome(env: Record<string, string | undefined> = process.env): string {
  const { SODA_HOME } = env;
  return SODA_HOME === undefined || SODA_HOME === "" ? join(homedir(), ".soda") : resolve(SODA_HOME);
}
