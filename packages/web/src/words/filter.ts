import type { LoopSummary } from "@ralpher/contract";
import { stateWord } from "./state.ts";

/** The loops that have every word of `text` in their name, folder, goal or state; all when there are no words. */
export function filterLoops(loops: Iterable<LoopSummary>, text: string): LoopSummary[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const all = [...loops];
  if (words.length === 0) return all;
  return all.filter(({ config, state }) => {
    const hay =
      `${config.name}\n${config.directory}\n${config.goal ?? ""}\n${stateWord[state.status]}\n${config.backend}`.toLowerCase();
    return words.every((word) => hay.includes(word));
  });
}
