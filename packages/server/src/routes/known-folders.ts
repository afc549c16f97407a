import { resolve } from "node:path";
import { Fault, type Hub, type LoopId } from "@ralpher/contract";

const mostLoops = 1_000;

/**
 * Which folders' work items may be looked at: those that loops known here work on, and the loops' own trees. A check of
 * a folder throws Fault `forbidden` for any other. It answers from memory what it found once and is still so.
 */
export function createKnownFolders(hub: Hub): (directory: string) => Promise<string> {
  const found = new Map<string, LoopId>();
  const isOf = async (loopId: LoopId, directory: string): Promise<boolean> => {
    try {
      const { config, workspace } = await hub.require(loopId);
      return resolve(config.directory) === directory || workspace?.directory === directory;
    } catch (error) {
      if (error instanceof Fault && error.code === "loop_not_found") return false;
      throw error;
    }
  };
  const look = async (directory: string): Promise<LoopId | null> => {
    const [named] = (await hub.list({ text: directory, limit: mostLoops })).filter(
      ({ config }) => resolve(config.directory) === directory,
    );
    if (named !== undefined) return named.config.id;
    // The trees are in no list. Few ask for them, and each only once.
    for (let offset = 0; ; offset += mostLoops) {
      const loops = await hub.list({ limit: mostLoops, offset });
      for (const { config } of loops) if (await isOf(config.id, directory)) return config.id;
      if (loops.length < mostLoops) return null;
    }
  };
  return async (text) => {
    const directory = resolve(text);
    const before = found.get(directory);
    if (before !== undefined && (await isOf(before, directory))) return directory;
    const loopId = await look(directory);
    if (loopId === null) {
      found.delete(directory);
      throw new Fault("forbidden", { why: `no loop known here works in ${directory}` });
    }
    found.set(directory, loopId);
    return directory;
  };
}
