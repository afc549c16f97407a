import { readdir, readFile } from "node:fs/promises";
import { markVariable } from "./mark.ts";

/** A process that carries a mark. */
export interface MarkedProcess {
  pid: number;
  mark: string;
}

/** The living processes that carry a mark in their environment. Linux only: elsewhere there is no /proc, so none. */
export async function findMarked(wanted: (mark: string) => boolean): Promise<MarkedProcess[]> {
  const entries = await readdir("/proc").catch(() => []);
  const pids = entries.map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid);
  const found = await Promise.all(pids.map(async (pid) => ({ pid, mark: await readMark(pid) })));
  return found.filter((one): one is MarkedProcess => one.mark !== null && wanted(one.mark));
}

/**
 * End the processes that are found, and look again until there are none: TERM first, KILL for what is left after the
 * grace. Resolves with how many there were when none is left, or when what is left cannot be ended.
 */
export async function endAll(find: () => Promise<MarkedProcess[]>, graceMs = 2000): Promise<number> {
  const ended = new Set<number>();
  const started = Date.now();
  for (let round = 0; round < 200; round++) {
    const left = await find();
    if (left.length === 0) break;
    const late = Date.now() - started >= graceMs;
    for (const { pid } of left) {
      // Once each, for some programs take a second TERM for impatience.
      if (late) kill(pid, "SIGKILL");
      else if (!ended.has(pid)) kill(pid, "SIGTERM");
      ended.add(pid);
    }
    await Bun.sleep(round < 10 ? 10 : 50);
  }
  return ended.size;
}

async function readMark(pid: number): Promise<string | null> {
  // Unreadable: it is gone, a zombie, or another user's.
  const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
  const start = `\0${environment}`.indexOf(`\0${markVariable}=`);
  if (start < 0) return null;
  const from = start + markVariable.length + 1;
  const to = environment.indexOf("\0", from);
  return environment.slice(from, to < 0 ? undefined : to);
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself in the meantime, or is not ours to end; the next look tells.
  }
}
