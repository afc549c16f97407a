import type { GitFacts, LoopView } from "@ralpher/contract";
import { useCallback, useEffect, useState } from "react";
import { readGit } from "../../feed/loop-api.ts";
import { Refusal } from "../../feed/refusal.ts";

export interface KnownGit {
  /** Null before the first answer, and for a loop without git. */
  facts: GitFacts | null;
  refusal: Refusal | null;
  refresh: () => void;
}

/** The first page is more urgent than this. */
const delayMs = 900;

/** Where the loop's branch stands: read once the page is up, and again when that may have changed. */
export function useGitFacts(view: LoopView, wanted: boolean): KnownGit {
  const [known, setKnown] = useState<Omit<KnownGit, "refresh">>({ facts: null, refusal: null });
  const [asked, setAsked] = useState(0);
  const git = view.workspace !== null && view.workspace.kind !== "plain" ? view.workspace : null;
  const moment = git === null ? null : [view.phase.status, view.head, git.baseSha, view.pullRequest, wanted].join(" ");
  // The target moves without a word from the loop; who comes back to the page may have moved it.
  useEffect(() => {
    const look = () => {
      if (!document.hidden) setAsked((times) => times + 1);
    };
    window.addEventListener("focus", look);
    return () => window.removeEventListener("focus", look);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again by what may have changed the answer
  useEffect(() => {
    if (moment === null) return;
    const closing = new AbortController();
    const timer = setTimeout(
      () =>
        readGit(view.id, closing.signal).then(
          (facts) => setKnown({ facts, refusal: null }),
          (error) => {
            if (error instanceof Refusal) setKnown((before) => ({ ...before, refusal: error }));
          },
        ),
      delayMs,
    );
    return () => {
      clearTimeout(timer);
      closing.abort();
    };
  }, [view.id, moment, asked]);
  return { ...known, refresh: useCallback(() => setAsked((times) => times + 1), []) };
}
