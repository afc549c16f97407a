import { isAbsolute, join } from "node:path";
import { TaskConfig } from "@ralpher/contract";
import type { Ralpher } from "../compose.ts";
import { attention, bad, dim } from "../print/style.ts";
import { printable } from "../print/words.ts";
import { print, printJson, withRalpher } from "../session.ts";
import { readLog } from "../task-log.ts";
import { requireTaskLoop, requireVault } from "../task-loops.ts";

export interface TaskLogsOptions {
  vault?: string | undefined;
  follow?: true | undefined;
  lines?: number | undefined;
  json?: true | undefined;
}

/** `ralpher task logs` */
export async function taskLogs(typed: string | undefined, options: TaskLogsOptions): Promise<void> {
  const { follow, lines, json } = options;
  await withRalpher(async (ralpher) => {
    const { path, runId } = await logOf(ralpher, typed, options.vault);
    const leaving = new AbortController();
    process.once("SIGINT", () => leaving.abort());
    let shown = 0;
    await readLog({
      path,
      lines,
      suits: (line) => line !== "" && (runId === null || line.split(" ", 3)[2] === runId),
      show(line) {
        shown++;
        if (json === true) printJson(entryOf(line));
        else print(painted(line));
      },
      follow: follow === true ? leaving.signal : null,
    });
    if (shown === 0 && json !== true) process.stderr.write(`ralpher: there is nothing in ${path} yet\n`);
  });
}

/** The log of a vault, and of which run; null: of all of them. */
async function logOf(
  ralpher: Ralpher,
  typed: string | undefined,
  given: string | undefined,
): Promise<{ path: string; runId: string | null }> {
  const { hub } = ralpher;
  if (typed === undefined) {
    const root = await requireVault(ralpher, given);
    const { config } = await hub.vault(root);
    return { path: join(root, (config ?? TaskConfig.parse({})).log_file), runId: null };
  }
  const view = await requireTaskLoop(ralpher, typed, given);
  const { vault, logFile } = await hub.task(view.id);
  const path = isAbsolute(logFile) && logFile.startsWith(`${vault}/`) ? logFile : join(vault, logFile);
  return { path, runId: view.task?.runId ?? null };
}

/** `2026-02-15T10:30:05Z INFO loop_20260215_103000 message` */
function entryOf(line: string): { at: string; level: string; run: string | null; message: string } {
  const [, at = "", level = "", run = null, message = ""] = /^(\S+) (\S+) (?:(loop_\S+) )?(.*)$/s.exec(line) ?? [];
  return at === "" ? { at, level, run, message: line } : { at, level, run, message };
}

function painted(line: string): string {
  const { at, level, message } = entryOf(line);
  if (at === "" || message === "") return printable(line);
  const rest = printable(line.slice(at.length + level.length + 2));
  const paint = level === "ERROR" ? bad : level === "WARNING" ? attention : dim;
  return `${dim(printable(at))} ${paint(printable(level))} ${rest}`;
}
