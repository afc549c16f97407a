import type { VaultBoard } from "@ralpher/contract";
import { useCallback, useEffect, useState } from "react";
import { client, read } from "../../feed/api.ts";
import { Refusal } from "../../feed/refusal.ts";
import { useStore } from "../../feed/store.ts";
import { loopsFeed } from "../../shell/feeds.ts";

/** News that come closer together are one reason to look. */
const settleMs = 200;
/** So often it is looked whether files were put there, while somebody looks at the page. */
const lookEveryMs = 5_000;

export interface Vault {
  /** Null before the first answer. */
  board: VaultBoard | null;
  /** Why it could not be read, or not again. */
  refusal: Refusal | null;
  /** Read it again: this page has changed something. */
  refresh: () => void;
}

/**
 * A vault, kept up to date while it is on the screen: read again when one of its loops says something, and every few
 * seconds, for people put files there themselves. While nobody looks nothing is asked.
 */
export function useVault(directory: string): Vault {
  const [known, setKnown] = useState<{ of: string; board: VaultBoard } | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [asked, setAsked] = useState(0);
  const refresh = useCallback(() => setAsked((times) => times + 1), []);
  const root = known?.of === directory ? known.board.root : directory;
  const moment = useStore(loopsFeed.state, ({ loops }) =>
    [...loops.values()]
      .filter(({ config }) => config.directory === directory || config.directory === root)
      .map(({ config, state }) => `${config.id} ${state.status} ${state.currentIteration} ${state.handOff}`)
      .sort()
      .join(),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again by what happened
  useEffect(() => {
    const closing = new AbortController();
    const look = async () => {
      if (document.hidden) return;
      try {
        const board = await read(client.vaults.$get({ query: { directory } }, { init: { signal: closing.signal } }));
        if (closing.signal.aborted) return;
        setKnown({ of: directory, board: board as VaultBoard });
        setRefusal(null);
      } catch (error) {
        if (closing.signal.aborted) return;
        if (!(error instanceof Refusal)) throw error;
        setRefusal(error);
      }
    };
    let timer: ReturnType<typeof setTimeout>;
    // One look after the other, however slow the answers are.
    const next = async () => {
      await look();
      if (!closing.signal.aborted) timer = setTimeout(next, lookEveryMs);
    };
    timer = setTimeout(next, known?.of === directory ? settleMs : 0);
    const onShown = () => void look();
    document.addEventListener("visibilitychange", onShown);
    return () => {
      closing.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onShown);
    };
  }, [directory, moment, asked]);
  return { board: known?.of === directory ? known.board : null, refusal, refresh };
}
