import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type { BackendHealth } from "@ralpher/contract";

/** Command lines come from loops' configurations, too. */
const mostKept = 50;

/** Asks a command line how it is, its program's absolute path first, or tells what it said before. */
export type HealthMemory = (command: readonly string[], ask: () => Promise<BackendHealth>) => Promise<BackendHealth>;

/**
 * Remembers that an agent is ready, and in which version, for as long as its files are the same: on a busy machine it
 * takes an agent many seconds to start and tell. Those who ask at the same time are told by one asking. What is not ready
 * is asked every time, for somebody may be mending it.
 */
export function createHealthMemory(): HealthMemory {
  const known = new Map<string, { mark: string; health: Promise<BackendHealth> }>();
  return async (command, ask) => {
    const mark = await markOf(command);
    const key = JSON.stringify(command);
    const before = known.get(key);
    if (before?.mark === mark) return await before.health;
    const health = ask();
    known.delete(key);
    known.set(key, { mark, health });
    const [oldest] = known.keys();
    if (known.size > mostKept && oldest !== undefined) known.delete(oldest);
    const forget = () => {
      if (known.get(key)?.health === health) known.delete(key);
    };
    health.then(({ state }) => (state === "ready" ? undefined : forget()), forget);
    return await health;
  };
}

/** Changes when a file of the command line does: an interpreter's script is the agent, not the interpreter. */
async function markOf(command: readonly string[]): Promise<string> {
  const marks = command.filter(isAbsolute).map(async (path) => {
    const file = await stat(path).catch(() => null);
    // Installers may set the time of change of what is in a file; none sets that of the file itself.
    return file?.isFile() ? `${file.size} ${file.mtimeMs} ${file.ctimeMs}` : "";
  });
  return (await Promise.all(marks)).join("\n");
}
