import { readFileSync, readlinkSync } from "node:fs";

/** The environment variable that every process of an agent carries. */
export const markVariable = "RALPHER_AGENT_MARK";

/** The Ralpher process a mark names: its pid, when that process began, and in which pid namespace both are true. */
export interface MarkOwner {
  namespace: string;
  pid: number;
  began: string;
}

/**
 * A new mark: `ralpher-<namespace>-<pid>-<began>-<random>`. A pid alone would not do, for pids are used again and a
 * container's pid 7 is not the host's.
 */
export function createMark(): string {
  const { namespace, pid, began } = thisProcess();
  return `ralpher-${namespace}-${pid}-${began}-${crypto.randomUUID().slice(0, 8)}`;
}

/** Who made the mark, or null when it is not one of ours. */
export function parseMark(mark: string): MarkOwner | null {
  const match = /^ralpher-(\d+)-(\d+)-(\d+)-[0-9a-f]{8}$/.exec(mark);
  if (match?.[1] === undefined || match[2] === undefined || match[3] === undefined) return null;
  return { namespace: match[1], pid: Number(match[2]), began: match[3] };
}

/** Is the owner gone for certain? Of an owner in another pid namespace nothing is known from here. */
export function isDead(owner: MarkOwner): boolean {
  return owner.namespace === thisProcess().namespace && owner.began !== beganAt(owner.pid);
}

function thisProcess(): MarkOwner {
  return { namespace: namespaceId(), pid: process.pid, began: beganAt(process.pid) ?? "0" };
}

function namespaceId(): string {
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
  } catch {
    // Not Linux.
    return "0";
  }
}

/** When the process began, in clock ticks since boot; null when there is none, or no /proc to tell. */
function beganAt(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // Field 22 of proc(5); the second field, the name in brackets, may hold blanks and brackets itself.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}
