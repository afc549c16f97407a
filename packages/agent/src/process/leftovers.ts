import { isDead, parseMark } from "./mark.ts";
import { endAll, findMarked } from "./marked.ts";

/**
 * End what agents of dead Ralpher processes left running, whichever data root they worked for; never what belongs to a
 * living one. Their guards do so by themselves; this is for guards that were killed too. Resolves with how many
 * processes were ended. Idempotent. Linux only; elsewhere 0.
 */
export function endLeftovers(): Promise<number> {
  const isLeft = (mark: string) => {
    const owner = parseMark(mark);
    return owner !== null && isDead(owner);
  };
  return endAll(() => findMarked(isLeft));
}
