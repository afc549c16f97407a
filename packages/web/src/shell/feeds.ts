import { useEffect, useState } from "react";
import { type LoopFeed, openLoopFeed } from "../feed/loop-feed.ts";
import { openLoopsFeed } from "../feed/loops-feed.ts";
import { createStore } from "../feed/store.ts";

/** The lines of all loops: open as long as the page is. */
export const loopsFeed = openLoopsFeed();

/** The feed of the loop on the screen, for the parts of the shell that tell how fresh the page is. */
export const shownLoopFeed = createStore<LoopFeed | null>(null);

/** Follow one loop while the component is on the screen; null for the first moment. */
export function useLoopFeed(id: string): LoopFeed | null {
  const [feed, setFeed] = useState<LoopFeed | null>(null);
  useEffect(() => {
    const opened = openLoopFeed(id);
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
