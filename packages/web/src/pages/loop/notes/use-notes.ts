import type { FileDiff, LoopView } from "@ralpher/contract";
import { useCallback, useEffect, useState } from "react";
import { readDiff, readNotes } from "../../../feed/loop-api.ts";
import { Refusal } from "../../../feed/refusal.ts";

interface Notes {
  /** Undefined before the first answer, null when there is no such file. */
  content: string | null | undefined;
  /** What the newest iteration that saved something changed in it; null when it did not. */
  change: { iteration: number; file: FileDiff } | null;
  refusal: Refusal | null;
}

/** The loop's notes, read when they are looked at, and again when an iteration has ended or saved something. */
export function useNotes(
  view: LoopView,
  file: "plan" | "status",
  path: string,
  active: boolean,
): Notes & { retry: () => void } {
  const [notes, setNotes] = useState<Notes>({ content: undefined, change: null, refusal: null });
  const [asked, setAsked] = useState(0);
  const { id, head } = view;
  const git = view.workspace !== null && view.workspace.kind !== "plain";
  const iteration = view.commits.at(-1)?.iteration ?? 0;
  const moment = `${head} ${view.recent.length} ${view.iteration} ${view.phase.status} ${asked}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again by what may have changed them
  useEffect(() => {
    if (!active) return;
    const closing = new AbortController();
    const read = async () => {
      const change = async () => {
        if (!git || iteration === 0) return null;
        const files = await readDiff(id, { iteration, path }, closing.signal);
        const own = files.find((each) => each.path === path);
        return own === undefined ? null : { iteration, file: own };
      };
      const [content, changed] = await Promise.all([
        readNotes(id, file === "plan" ? "plan" : "status-file", closing.signal),
        // The notes are worth reading without what changed in them.
        change().catch(() => null),
      ]);
      setNotes({ content, change: changed, refusal: null });
    };
    read().catch((error) => {
      if (error instanceof Refusal) setNotes((before) => ({ ...before, refusal: error }));
    });
    return () => closing.abort();
  }, [id, file, path, git, iteration, moment, active]);
  return { ...notes, retry: useCallback(() => setAsked((times) => times + 1), []) };
}
