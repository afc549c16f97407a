import Plus from "lucide-react/icons/plus";
import { useEffect, useMemo, useRef } from "react";
import { Link } from "wouter";
import { useLocationProperty } from "wouter/use-browser-location";
import { useActionKeys } from "../../act/use-action-keys.ts";
import type { LoopsFeedState } from "../../feed/loops-feed.ts";
import { createStore, useStore } from "../../feed/store.ts";
import { useKeys } from "../../keys/use-keys.ts";
import { buttonLook } from "../../parts/button.tsx";
import { Bone, Delayed } from "../../parts/delayed.tsx";
import { Problem } from "../../parts/problem.tsx";
import { loopsFeed } from "../../shell/feeds.ts";
import { useTabFace } from "../../shell/tab-face.ts";
import { type BandName, type Bands, bandTitles, groupIntoBands } from "../../words/bands.ts";
import { filterLoops } from "../../words/filter.ts";
import { Band } from "./band.tsx";
import { Empty } from "./empty.tsx";
import { FilterBox } from "./filter-box.tsx";
import { rowLinks, useKeptFocus } from "./row-focus.ts";
import { Today } from "./today.tsx";

/** What the lines are narrowed to; it outlives a look at one loop. */
const filter = createStore("");

/** All loops, grouped by what they need. */
export function Overview() {
  const state = useStore(loopsFeed.state, (value) => value);
  const { status, loops, refusal } = state;
  const bands = useMemo(() => groupIntoBands(loops.values()), [loops]);
  const { title, meaning } = faceOf(bands);
  useTabFace(title, meaning);

  if (status === "refused" && refusal !== null) {
    return (
      <div className="h-full overflow-y-auto">
        <Problem title="The loops cannot be shown" refusal={refusal} onRetry={loopsFeed.retry} />
      </div>
    );
  }
  if (status === "loading") return <Loading />;
  if (loops.size === 0) {
    return (
      <div className="h-full overflow-y-auto">
        <Empty />
      </div>
    );
  }
  return <List state={state} all={bands} />;
}

function List({ state: { loops, doing, total }, all }: { state: LoopsFeedState; all: Bands }) {
  const text = useStore(filter, (value) => value);
  const bands = useMemo(
    () => (text.trim() === "" ? all : groupIntoBands(filterLoops(loops.values(), text))),
    [all, loops, text],
  );
  const found = Object.values(bands).some((band) => band.length > 0);
  const ref = useRef<HTMLDivElement>(null);
  const hash = useLocationProperty(() => location.hash);
  useKeptFocus(ref);
  useEffect(() => {
    if (hash === "") return;
    const band = document.getElementById(hash.slice(1));
    band?.scrollIntoView({ block: "start" });
    band?.querySelector<HTMLElement>("a[data-loop]")?.focus({ preventScroll: true });
  }, [hash]);

  const move = (by: 1 | -1) => () => {
    const links = rowLinks(ref.current);
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    const next = at < 0 ? links[by === 1 ? 0 : links.length - 1] : links[at + by];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  useKeys({
    j: move(1),
    k: move(-1),
    "/": () => ref.current?.querySelector<HTMLElement>("input[type=search]")?.focus(),
  });
  useActionKeys(() => {
    const id = (document.activeElement as HTMLElement | null)?.closest("li")?.querySelector("a[data-loop]");
    const loop = [...loopsFeed.state.get().loops.values()].find(
      ({ config }) => config.id === id?.getAttribute("data-loop"),
    );
    return loop === undefined
      ? null
      : {
          id: loop.config.id,
          name: loop.config.name,
          status: loop.state.status,
          asked: loop.state.asked,
          mergeable: loop.state.mergeable,
          strategy: loop.config.strategy,
        };
  });

  return (
    <div ref={ref} className="h-full overflow-y-auto">
      <div className="mx-auto max-w-[112rem] pb-10 lg:px-6">
        <h1 className="sr-only">Loops</h1>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3 px-4 pt-4">
          <div className="min-w-0 flex-1 basis-72">
            <Today loops={loops} />
          </div>
          <FilterBox value={text} onChange={(value) => filter.set(value)} />
          <Link href="/new" className={buttonLook("filled", "px-3 lg:hidden max-sm:hidden")}>
            <Plus aria-hidden="true" />
            New loop
          </Link>
        </div>
        {text.trim() === "" && bands["needs-you"].length === 0 && (
          <p className="px-4 pt-5 text-soft">
            {bands.running.length === 0 ? "Nothing runs, and nothing needs you." : "Nothing needs you."}
          </p>
        )}
        {!found && (
          <p className="px-4 pt-8 text-soft">No loop has “{text.trim()}” in its name, folder, goal or state.</p>
        )}
        {(Object.keys(bandTitles) as BandName[]).map((name) => (
          <Band key={name} name={name} loops={bands[name]} doing={doing} />
        ))}
        {total > loops.size && (
          <p className="px-4 pt-4 text-small text-soft">
            The newest {loops.size} of {total} loops. In a terminal, “ralpher loop list” has them all.
          </p>
        )}
      </div>
    </div>
  );
}

function faceOf(bands: Bands): { title: string; meaning: "needs-you" | "running" | "quiet" } {
  const needing = bands["needs-you"].length;
  if (needing > 0) return { title: `(${needing}) needs you · Ralpher`, meaning: "needs-you" };
  const running = bands.running.length;
  return running > 0
    ? { title: `${running} running · Ralpher`, meaning: "running" }
    : { title: "Ralpher", meaning: "quiet" };
}

function Loading() {
  return (
    <Delayed>
      <div
        role="status"
        aria-label="Loading the loops"
        className="mx-auto flex max-w-[112rem] flex-col gap-8 p-4 pt-8 lg:px-10"
      >
        {["w-64", "w-80", "w-56", "w-72"].map((width) => (
          <div key={width} className="flex items-center gap-6">
            <Bone className="w-20" />
            <Bone className={width} />
          </div>
        ))}
      </div>
    </Delayed>
  );
}
