import { useCallback, useEffect, useState } from "react";
import { readLoop } from "../../feed/api.ts";
import { tellFailed } from "../../parts/notices.tsx";
import { type Draft, draftOf, emptyDraft, parseDraft } from "./draft.ts";

const key = "ralpher.draft";

function read(): Draft {
  try {
    return parseDraft(sessionStorage.getItem(key));
  } catch {
    return emptyDraft;
  }
}

function keep(draft: Draft | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // Without storage the draft lives as long as the page.
  }
}

/**
 * The draft, kept in this tab until a loop is made of it. `from`: begin with the settings of this loop; `given`: with
 * these.
 */
export function useDraft(from: string | null, given: Partial<Draft> | null = null) {
  const [draft, setDraft] = useState(() => ({ ...read(), ...given }));
  useEffect(() => {
    if (from === null) return;
    const closing = new AbortController();
    readLoop(from, closing.signal).then(
      ({ config }) => setDraft(draftOf(config)),
      (error: unknown) => {
        if (!closing.signal.aborted) tellFailed("The loop to copy was not found", error);
      },
    );
    return () => closing.abort();
  }, [from]);
  useEffect(() => keep(draft), [draft]);
  const change = useCallback((changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes })), []);
  return { draft, change, clear: () => setDraft(emptyDraft), forget: () => keep(null) };
}
