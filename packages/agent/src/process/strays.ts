import { readFile, readlink, realpath } from "node:fs/promises";
import { sep } from "node:path";
import type { Guarded } from "./guard.ts";
import { endAll, findMarked, type MarkedProcess } from "./marked.ts";

const graceMs = 500;

/**
 * End what an agent's tools left running in a directory while the agent itself, which may serve other directories too,
 * goes on. Tools that an agent runs for the model have process groups of their own; what shares the agent's group (its
 * language servers and the like) stays. Resolves when they are gone. Linux only; elsewhere nothing is found.
 */
export async function endStrays({ mark, group }: Pick<Guarded, "mark" | "group">, directory: string): Promise<void> {
  const real = await realpath(directory).catch(() => directory);
  await endAll(async () => {
    const marked = await findMarked((other) => other === mark);
    const strays = await Promise.all(marked.map(async (one) => ((await isStray(one, group, real)) ? one : null)));
    return strays.filter((one) => one !== null);
  }, graceMs);
}

async function isStray({ pid }: MarkedProcess, group: number, directory: string): Promise<boolean> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    // Fields 3 to 5 of proc(5): state, parent, process group.
    const [, , processGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const where = await readlink(`/proc/${pid}/cwd`);
    return Number(processGroup) !== group && (where === directory || where.startsWith(directory + sep));
  } catch {
    // Gone in the meantime.
    return false;
  }
}
