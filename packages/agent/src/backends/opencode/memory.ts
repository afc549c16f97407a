import { readFile } from "node:fs/promises";
import type { Guarded } from "../../process/guard.ts";
import { findMarked } from "../../process/marked.ts";

/**
 * The memory of a server and of what it runs for itself (language servers and the like), without the tools that it runs
 * for the model, which have process groups of their own. Resident bytes; what processes share counts for each. Null
 * where there is no /proc to tell.
 */
export async function readResidentBytes({ mark, group }: Pick<Guarded, "mark" | "group">): Promise<number | null> {
  const marked = await findMarked((other) => other === mark);
  if (marked.length === 0) return null;
  const sizes = await Promise.all(marked.map(({ pid }) => readSize(pid, group)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function readSize(pid: number, group: number): Promise<number> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    // Fields 3 to 5 of proc(5): state, parent, process group.
    const [, , processGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (Number(processGroup) !== group) return 0;
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    // Gone in the meantime.
    return 0;
  }
}
