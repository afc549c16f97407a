import type { LoopId } from "@ralpher/contract";
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

/** Does somebody run this loop, or will a server take it up by itself? */
export async function isInHand({ journal }: Ralpher, loopId: LoopId): Promise<boolean> {
  return (await journal.holder(loopId)) !== null || (await journal.services()).length > 0;
}

/** Print a value as JSON, for scripts. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

export function print(line = ""): void {
  process.stdout.write(`${line}\n`);
}

let outputGone = () => process.exit(0);

// Whoever read our output has read enough, as `| head` does. That is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // EIO: the terminal was closed.
  if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
  outputGone();
});

/** What to do when nobody reads our output any longer; by default the command just ends. */
export function onOutputGone(react: () => void): void {
  outputGone = react as () => never;
}
