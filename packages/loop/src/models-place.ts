import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Journal } from "@ralpher/contract";

/** So many loops of the folder are looked at. */
const mostLoops = 100;

/**
 * The folder to ask an agent for its models in: an agent runs what the folder's own settings tell it to (plugins, hooks),
 * and nobody has agreed to that by looking. So it is the folder itself only when a loop has worked on it here, and else
 * the home folder. That a loop came from elsewhere with the folder's name says nothing.
 */
export async function modelsPlace(journal: Journal, directory: string): Promise<string> {
  const wanted = resolve(directory);
  for (const { config } of await journal.list({ text: wanted, limit: mostLoops })) {
    if (resolve(config.directory) !== wanted) continue;
    const view = await journal.find(config.id);
    // It gets its workspace when its agent is about to start.
    if (view !== null && view.workspace !== null) return directory;
  }
  return homedir();
}
