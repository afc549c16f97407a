import { type ComposeOptions, compose, type Ralpher } from "./compose.ts";
import { readEnvironment } from "./environment.ts";
import { configureLog } from "./log.ts";

/** Open Ralpher on the environment's data folder, do the work, and close it whatever comes. */
export async function withRalpher<T>(
  work: (ralpher: Ralpher) => Promise<T>,
  options: Partial<ComposeOptions> = {},
): Promise<T> {
  const { dataDir, logLevel } = readEnvironment();
  configureLog(logLevel);
  await using ralpher = compose({ dataDir, runs: "adopted", ...options });
  return await work(ralpher);
}

/** Print a value as JSON, for scripts. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

export function print(line = ""): void {
  process.stdout.write(`${line}\n`);
}
