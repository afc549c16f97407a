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
 * End the processes whose mark is wanted: TERM, and KILL for what is left after two seconds. Resolves with how many
 * there were when none is left, or when what is left cannot be ended.
 */
export async function endMarked(wanted: (mark: string) => boolean): Promise<number> {
  const ended = new Set<number>();
  for (let round = 0; round < 200; round++) {
    const left = await findMarked(wanted);
    if (left.length === 0) break;
    for (const { pid } of left) {
      ended.add(pid);
      if (round === 0) kill(pid, "SIGTERM");
      else if (round >= 40) kill(pid, "SIGKILL");
    }
    await Bun.sleep(50);
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
