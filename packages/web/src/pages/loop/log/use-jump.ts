import { useEffect, useRef, useState } from "react";
import type { Log } from "../../../feed/log.ts";
import { Refusal } from "../../../feed/refusal.ts";
import { tell } from "../../../parts/notices.tsx";

/** An iteration to go to; another object for each wish, so that the same one can be wished for twice. */
export interface Jump {
  iteration: number;
}

interface JumpParts {
  jump: Jump | null;
  log: Log;
  reachesBeginning: boolean;
  older: "idle" | "loading" | Refusal;
  loadOlder: (limit?: number) => Promise<void>;
}

/** A jump far back loads the log in larger pages. */
const jumpPage = 1_000;

/**
 * Go to an iteration; what is not loaded yet is loaded first, page after page. Returns the iteration while it is on
 * the way there.
 */
export function useJump(
  { jump, log, reachesBeginning, older, loadOlder }: JumpParts,
  scrollTo: (index: number) => void,
): number | null {
  const [settled, setSettled] = useState<Jump | null>(null);
  const scroll = useRef(scrollTo);
  scroll.current = scrollTo;
  const pending = jump !== null && settled !== jump ? jump : null;
  useEffect(() => {
    if (pending === null) return;
    const whole = reachesBeginning || log.iterations.get(pending.iteration)?.startedAt != null;
    const index = whole
      ? log.entries.findIndex((entry) => entry.kind === "iteration" && entry.iteration === pending.iteration)
      : -1;
    if (index >= 0) {
      setSettled(pending);
      scroll.current(index);
    } else if (older instanceof Refusal) {
      setSettled(pending);
      tell(`Iteration ${pending.iteration} did not load`, older.message);
    } else if (reachesBeginning) setSettled(pending);
    else if (older === "idle") void loadOlder(jumpPage);
  }, [pending, log, reachesBeginning, older, loadOlder]);
  return pending?.iteration ?? null;
}
