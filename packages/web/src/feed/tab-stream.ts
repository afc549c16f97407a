import type { Arrival } from "./loop-state.ts";
import type { LineArrival } from "./loops-state.ts";
import { followPresence } from "./presence.ts";
import type { Refusal } from "./refusal.ts";
import { createStream } from "./stream.ts";
import { partArrivals, tabStreamUrl } from "./tab-arrivals.ts";

/** How often a tab that nobody looks at asks, in milliseconds. */
const askEveryMs = 10_000;
/** So long the stream waits for the loop that the address names, rather than begin twice. */
const waitForLoopMs = 300;
/** Whoever leaves a loop's page is mostly on the way to the next one's. */
const waitForNextMs = 1_000;

interface Follower<T> {
  onArrivals: (arrivals: T[]) => void;
  /** The line is gone; another attempt follows by itself. Called once per loss, not per failed attempt. */
  onLost: (refusal: Refusal) => void;
  /** The server said no in a way that trying again does not change. */
  onRefused: (refusal: Refusal) => void;
  /** Nobody looks, and nothing comes by itself: ask for what is new. */
  onAsk: () => void;
}

export interface LinesFollower extends Follower<LineArrival> {
  /** What happened before now may be missing; `gap` is brief when the stream only changed to another loop. */
  onOpen: (gap: "brief" | "long") => void;
}

export interface LoopFollower extends Follower<Arrival> {
  id: string;
  /** The last event that is known; asked anew on every (re)connect. */
  after: () => number;
  onOpen: () => void;
}

/** The one event stream of this tab, for whoever follows something: a browser allows a server six connections. */
export interface TabStream {
  readonly isUp: boolean;
  followLines(follower: LinesFollower): void;
  /** Follow one loop besides, in the place of any other. Returns the way to end it. */
  followLoop(follower: LoopFollower): () => void;
  /** Do not wait for the next attempt: try now. Does nothing while the line is up. */
  retry(): void;
}

/** `expectsLoop`: a loop is about to be followed. */
export function createTabStream({ expectsLoop }: { expectsLoop: boolean }): TabStream {
  let lines: LinesFollower | null = null;
  let loop: LoopFollower | null = null;
  /** Whose events the stream brings that is open now. */
  let streamed: LoopFollower | null = null;
  let gap: "brief" | "long" = "long";
  let asking: ReturnType<typeof setInterval> | undefined;

  const ask = () => {
    lines?.onAsk();
    loop?.onAsk();
  };
  const stream = createStream({
    url: () => {
      streamed = loop;
      return tabStreamUrl(loop === null ? null : { id: loop.id, after: loop.after() });
    },
    onOpen: () => {
      lines?.onOpen(gap);
      gap = "long";
      streamed?.onOpen();
    },
    onMessages: (messages) => {
      const { lines: ofList, ofLoop } = partArrivals(messages, streamed?.id ?? null);
      if (ofList.length > 0) lines?.onArrivals(ofList);
      if (ofLoop.length > 0 && streamed === loop) loop?.onArrivals(ofLoop);
    },
    onLost: (refusal) => {
      gap = "long";
      lines?.onLost(refusal);
      loop?.onLost(refusal);
    },
    onRefused: (refusal) => {
      lines?.onRefused(refusal);
      loop?.onRefused(refusal);
    },
  });
  let changing: ReturnType<typeof setTimeout> | undefined;
  const change = () => {
    clearTimeout(changing);
    if (stream.isUp) gap = "brief";
    stream.restart();
  };
  const presence = followPresence((now) => {
    clearInterval(asking);
    if (now === "seen") stream.resume();
    if (now === "asking") asking = setInterval(ask, askEveryMs);
    if (now === "asking" || now === "away") {
      gap = "long";
      stream.pause();
    }
  });
  if (presence.now === "asking") {
    stream.pause();
    asking = setInterval(ask, askEveryMs);
  } else changing = setTimeout(change, expectsLoop ? waitForLoopMs : 0);

  return {
    get isUp() {
      return stream.isUp;
    },
    followLines(follower) {
      lines = follower;
      if (presence.now === "asking") follower.onAsk();
    },
    followLoop(follower) {
      loop = follower;
      change();
      return () => {
        if (loop !== follower) return;
        loop = null;
        clearTimeout(changing);
        changing = setTimeout(change, waitForNextMs);
      };
    },
    retry: stream.retry,
  };
}
