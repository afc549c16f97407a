import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { IterationsFeed } from "../../../feed/iterations-feed.ts";
import type { LiveEntry } from "../../../feed/live.ts";
import { indexAtSeq } from "../../../feed/log.ts";
import type { LogKind } from "../../../feed/log-kinds.ts";
import type { LoopFeed, LoopFeedState } from "../../../feed/loop-feed.ts";
import { shownStretch } from "../../../feed/loop-state.ts";
import { useKeys } from "../../../keys/use-keys.ts";
import { tell, tellFailed } from "../../../parts/notices.tsx";
import type { TimelineCell } from "../../../words/iterations.ts";
import { TabTools, type ToolsPlace } from "../tab-tools.tsx";
import { foldsFor } from "./folds-for.ts";
import { LogList, type Target } from "./log-list.tsx";
import { LogTools, preloadSearch } from "./log-tools.tsx";
import type { Places } from "./row-order.ts";
import { preloadToolDetails } from "./tool-row.tsx";
import { useFolds } from "./use-folds.ts";
import { useSearch } from "./use-search.ts";

/** A place in the log that a link or a press names; another object for each wish. */
export interface Jump {
  /** A line, by its seq. */
  line: number | null;
  iteration: number | null;
}

/** After the log is up; nobody folds anything out sooner. */
const preloadAfterMs = 1_500;
const nothingLive: LiveEntry[] = [];

/** Is what is on the screen without this very event, though no kind of entries is left out? */
function lacks(feed: LoopFeed, seq: number): boolean {
  const state = feed.state.get();
  if (state.status !== "ready" || state.page.kind !== "all") return false;
  return !shownStretch(state.page).log.events.some((event) => event.seq === seq);
}

/** A loop's log: one column, with a search through all of it, a choice of kinds, and jumps to anywhere. */
export function LogView({
  feed,
  iterations,
  state,
  cells,
  root,
  active,
  tools,
  jump,
  initialSearch,
  onSearch,
  onLink,
  onIterationShown,
}: {
  feed: LoopFeed;
  iterations: IterationsFeed;
  state: Extract<LoopFeedState, { status: "ready" }>;
  cells: ReadonlyMap<number, TimelineCell>;
  root: string | null;
  /** It is the tab on the screen. */
  active: boolean;
  /** Where its tools go. */
  tools: ToolsPlace;
  jump: Jump | null;
  initialSearch: string;
  /** The search as it should stand in the address. */
  onSearch: (text: string) => void;
  onLink: (seq: number) => void;
  onIterationShown: (iteration: number) => void;
}) {
  const { page, older, newer } = state;
  const stretch = shownStretch(page);
  const [target, setTarget] = useState<Target | null>(null);
  const [going, setGoing] = useState<string | null>(null);
  const [places] = useState<Places>(() => new Map());
  const [searching, setSearching] = useState(initialSearch !== "");
  const unfollowing = useRef<() => void>(() => {});
  const folds = useFolds(
    root,
    useCallback(() => unfollowing.current(), []),
  );
  const wish = useRef(0);

  /** Go to an event; `find` may have to ask for where it is. Resolves with whether that is on the screen. */
  const goTo = useCallback(
    async (what: string, align: Target["align"], find: () => Promise<number | null>): Promise<boolean> => {
      wish.current += 1;
      const mine = wish.current;
      const showing = setTimeout(() => setGoing(what), 150);
      try {
        const seq = await find();
        if (seq === null || mine !== wish.current) return false;
        await feed.showAround(seq);
        if (mine !== wish.current) return false;
        setTarget({ seq, align });
        return true;
      } catch (error) {
        if (mine === wish.current) tellFailed(`${what} did not load`, error);
        return false;
      } finally {
        clearTimeout(showing);
        if (mine === wish.current) setGoing(null);
      }
    },
    [feed],
  );
  const log = useSearch(feed.id, (seq) => {
    feed.showKind("all");
    void goTo("The hit", "center", async () => seq);
  });
  const { begin, end } = log;

  useEffect(() => {
    if (jump === null) return;
    const { line, iteration } = jump;
    if (line !== null) {
      void goTo(`Line ${line}`, "center", async () => line).then((went) => {
        if (went && lacks(feed, line)) {
          tell(
            `There is no line ${line} here`,
            "This loop's log has none at that place. What stands next to it is shown.",
          );
        }
      });
    } else if (iteration !== null) {
      void goTo(`Iteration ${iteration}`, "start", async () => {
        const ready = feed.state.get();
        const events = ready.status === "ready" ? shownStretch(ready.page).log.events : [];
        const start = events.find((event) => event.type === "loop.iteration.start" && event.iteration === iteration);
        return start?.seq ?? (await iterations.findSeq(iteration));
      });
    }
  }, [jump, goTo, feed, iterations]);
  // A link may carry a search; after that it is this page's own.
  const first = useRef(initialSearch);
  useEffect(() => {
    if (first.current !== "") begin(first.current);
    first.current = "";
  }, [begin]);

  // What was searched for may stand in something folded.
  const found = log.search?.text ?? "";
  const { open } = folds;
  const openedFor = useRef<Target | null>(null);
  if (target !== null && found !== "" && openedFor.current !== target) {
    const entry = stretch.log.entries[indexAtSeq(stretch.log, target.seq)];
    openedFor.current = target;
    if (entry !== undefined) open(foldsFor(entry, found));
  }

  const onSearching = (on: boolean) => {
    setSearching(on);
    if (on) return;
    end();
    onSearch("");
  };
  const written = log.search?.text ?? null;
  useEffect(() => {
    if (written !== null) onSearch(written);
  }, [written, onSearch]);
  useKeys(active ? { "/": () => setSearching(true) } : {});

  useEffect(() => {
    const timer = setTimeout(() => {
      void preloadToolDetails();
      void preloadSearch();
    }, preloadAfterMs);
    return () => clearTimeout(timer);
  }, []);

  const onKind = useCallback(
    (kind: LogKind) => {
      setTarget(null);
      feed.showKind(kind);
    },
    [feed],
  );
  const onNewest = useCallback(() => {
    setTarget(null);
    feed.showNewest();
  }, [feed]);
  const live = useMemo(
    () => (page.kind === "all" && page.away === null ? page.live : nothingLive),
    [page.kind, page.away, page.live],
  );

  return (
    <section aria-label="Log" className="absolute inset-0">
      {active && (
        <TabTools place={tools}>
          <LogTools
            kind={page.kind}
            onKind={onKind}
            log={log}
            searching={searching}
            initial={initialSearch}
            onSearching={onSearching}
          />
        </TabTools>
      )}
      <LogList
        key={page.place}
        log={stretch.log}
        live={live}
        places={places}
        cells={cells}
        folds={folds}
        unfollowing={unfollowing}
        active={active}
        reachesBeginning={stretch.reachesBeginning}
        reachesEnd={page.away === null}
        older={older}
        newer={newer}
        loadOlder={feed.loadOlder}
        loadNewer={feed.loadNewer}
        onNewest={onNewest}
        onTrim={feed.trim}
        target={target}
        marked={jump?.line ?? (found === "" ? null : (target?.seq ?? null))}
        onLink={onLink}
        search={found}
        arrived={page.arrived}
        filtered={page.kind !== "all"}
        onIterationShown={onIterationShown}
      />
      {going !== null && (
        <p
          role="status"
          className="absolute inset-x-0 top-10 z-10 mx-auto w-fit animate-appear rounded-full bg-bg px-3 py-1 text-small shadow-over"
        >
          Going to {going.charAt(0).toLowerCase() + going.slice(1)}…
        </p>
      )}
    </section>
  );
}
