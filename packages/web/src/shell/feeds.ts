import { useEffect, useState } from "react";
import { type LoopFeed, openLoopFeed } from "../feed/loop-feed.ts";
import { openLoopsFeed } from "../feed/loops-feed.ts";
import { createStore } from "../feed/store.ts";
import { createTabStream } from "../feed/tab-stream.ts";

const namedLoop = /^\/([0-9a-f-]{36})(\/|$)/.exec(location.pathname)?.[1];

/** All that comes by itself comes through this: open as long as the page is. */
const tab = createTabStream({ expectsLoop: namedLoop !== undefined });

/** The lines of all loops: open as long as the page is. */
export const loopsFeed = openLoopsFeed(tab);

/** The feed of the loop on the screen, for the parts of the shell that tell how fresh the page is. */
export const shownLoopFeed = createStore<LoopFeed | null>(null);

/**
 * The feed of the loop that the address names, open before anything is on the screen: its data comes while the page's
 * code is read. Taken by whoever shows that loop first.
 */
let ahead: LoopFeed | null = namedLoop === undefined ? null : openLoopFeed(namedLoop, tab);

/** Resolves when the loop that the address names can be shown, or will not be; at once when there is none. */
export function namedLoopRead(): Promise<void> {
  const state = ahead?.state;
  return new Promise((resolve) => {
    if (state === undefined) return resolve();
    const unsubscribe = state.subscribe(() => {
      if (state.get().status === "loading") return;
      unsubscribe();
      resolve();
    });
  });
}

/** Follow one loop while the component is on the screen; null for the first moment, unless it was read ahead. */
export function useLoopFeed(id: string): LoopFeed | null {
  const [feed, setFeed] = useState<LoopFeed | null>(() => (ahead?.id === id ? ahead : null));
  useEffect(() => {
    const opened = ahead?.id === id ? ahead : openLoopFeed(id, tab);
    if (ahead !== opened) ahead?.close();
    ahead = null;
    setFeed(opened);
    shownLoopFeed.set(opened);
    return () => {
      opened.close();
      shownLoopFeed.set(null);
      setFeed(null);
    };
  }, [id]);
  return feed;
}
