import { readFileSync, readlinkSync } from "node:fs";

/**
 * What tells a process from every other that ever had its pid: the namespace its pid belongs to, and when the kernel
 * started it, in its own ticks (Linux, /proc/<pid>/stat field 22). Both are empty where they cannot be read.
 */
export interface Birth {
  namespace: string;
  ticks: string;
}

const namespace = tryRead(() => readlinkSync("/proc/self/ns/pid"));

export const ownBirth: Birth = { namespace, ticks: ticksOf(process.pid) };

/**
 * Does the process live? Null when that cannot be seen from here: it belongs to another namespace, as in another
 * container.
 */
export function isAlive(pid: number, birth: Birth): boolean | null {
  if (birth.namespace !== namespace) return null;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, under another user.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const ticks = ticksOf(pid);
  return birth.ticks === "" || ticks === "" || ticks === birth.ticks;
}

function ticksOf(pid: number): string {
  return tryRead(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  });
}

function tryRead(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
