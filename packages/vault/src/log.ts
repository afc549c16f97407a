import { appendFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { type TaskConfig, toSecond } from "@ralpher/contract";

import { printable } from "./printable.ts";
import { fromRoot, requireWithin } from "./vault-path.ts";

const levels = ["DEBUG", "INFO", "WARNING", "ERROR"] as const satisfies TaskConfig["log_level"][];

/** `2026-02-15T10:30:05Z INFO message`, in one line whatever the message has. Never throws: a log is not worth a loop. */
export async function writeLog(
  root: string,
  config: TaskConfig,
  { level, message, now }: { level: TaskConfig["log_level"]; message: string; now: Date },
): Promise<void> {
  if (levels.indexOf(level) < levels.indexOf(config.log_level)) return;
  const line = `${toSecond(now)} ${level} ${printable(message)
    .trim()
    .replace(/\s*\n+\s*/g, " ⏎ ")}\n`;
  try {
    const file = await requireWithin(root, fromRoot(config.log_file));
    await mkdir(dirname(file), { recursive: true });
    await appendFile(file, line);
  } catch {
    // Nowhere is left to say it.
  }
}
