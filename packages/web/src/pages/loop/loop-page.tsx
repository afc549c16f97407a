import { isMergeable } from "@ralpher/contract";
import { useCallback, useEffect, useMemo, useState } from "react";
import { Link, useLocation, useParams, useSearch } from "wouter";
import { deletedHere } from "../../act/act.ts";
import { useActionKeys } from "../../act/use-action-keys.ts";
import { type IterationsFeed, openIterationsFeed } from "../../feed/iterations-feed.ts";
import type { LoopFeed, LoopFeedState } from "../../feed/loop-feed.ts";
import type { Refusal } from "../../feed/refusal.ts";
import { createStore, useStore } from "../../feed/store.ts";
import { useKeys } from "../../keys/use-keys.ts";
import { Bone, Delayed } from "../../parts/delayed.tsx";
import { lazyPage } from "../../parts/lazy-page.tsx";
import { announce } from "../../parts/notices.tsx";
import { Problem } from "../../parts/problem.tsx";
import { useTabFace } from "../../shell/tab-face.ts";
import { cellsByNumber, timelineOf } from "../../words/iterations.ts";
import { meaningOf, standingOfView, wordOf } from "../../words/state.ts";
import { Composer } from "./composer.tsx";
import { maxIterationsOf } from "./limits.ts";
import { type Jump, LogView } from "./log/log-view.tsx";
import { Actions, LoopHeader } from "./loop-header.tsx";
import { Pane } from "./pane.tsx";
import { TabBar } from "./tab-bar.tsx";
import type { ToolsPlace } from "./tab-tools.tsx";
import { hrefInLine, hrefOf, tabOf, tabsOf } from "./tabs.ts";
import { Timeline } from "./timeline.tsx";
import { useGitFacts } from "./use-git-facts.ts";

const changes = lazyPage(async () => (await import("./changes/changes-tab.tsx")).ChangesTab);
const notes = lazyPage(async () => (await import("./notes/notes-tab.tsx")).NotesTab);
const iterationsTab = lazyPage(async () => (await import("./iterations/iterations-tab.tsx")).IterationsTab);
const sodaPanes = lazyPage(async () => (await import("./soda/soda-panes.tsx")).SodaPanes);
const taskPanes = lazyPage(async () => (await import("./task/task-panes.tsx")).TaskPanes);
const gitTab = lazyPage(async () => (await import("./git/git-tab.tsx")).GitTab);

const loading = createStore<LoopFeedState>({ status: "loading" });

/** One loop: how it stands, its iterations, and in tabs its log as it happens, its work and its notes. */
export function LoopPage({ id, feed }: { id: string; feed: LoopFeed | null }) {
  const iterations = useIterations(id);
  const state = useStore(feed?.state ?? loading, (value) => value);
  const deletedByUs = useStore(deletedHere, (value) => value === id);
  if (state.status === "refused") {
    return <Refused refusal={state.refusal} onRetry={feed?.retry} />;
  }
  if (state.status === "loading" || feed === null) return <Loading />;
  if (state.page.deleted) return <Gone name={state.page.view.config.name} byUs={deletedByUs} />;
  return <Shown feed={feed} iterations={iterations} state={state} />;
}

function Shown({
  feed,
  iterations,
  state,
}: {
  feed: LoopFeed;
  iterations: IterationsFeed;
  state: Extract<LoopFeedState, { status: "ready" }>;
}) {
  const { view, log, away } = state.page;
  const { id, config, phase } = view;
  const tabs = tabsOf(view);
  const { "*": rest } = useParams<{ "*": string }>();
  const tab = tabOf(rest, tabs, useSearch());
  const place = usePlace(id, tab === "log");
  // What only a part of the page is drawn by, so that the log is not drawn again for it.
  const [tools] = useState<ToolsPlace>(() => createStore<HTMLElement | null>(null));
  const [shown] = useState(() => createStore(0));
  const known = useStore(iterations.state, ({ byNumber }) => byNumber);
  const spans = (away?.log ?? log).iterations;
  const cells = useMemo(() => timelineOf(view, spans, known), [view, spans, known]);
  const allCells = useMemo(() => cellsByNumber(view, cells, spans, known), [view, cells, spans, known]);
  const git = useGitFacts(view, tab === "git");

  // Iterations in detail change when one begins, is saved or ends.
  const moment = `${view.iteration} ${phase.status} ${view.head} ${view.recent.length}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: brought up to date by what happened
  useEffect(() => void iterations.refresh(), [iterations, moment]);

  const { status } = phase;
  const asked = "ask" in phase ? phase.ask?.to : undefined;
  const standing = standingOfView(view);
  useTabFace(`${wordOf(standing)}: ${config.name} · Ralpher`, meaningOf(standing));
  useActionKeys(() => ({
    id,
    name: config.name,
    status,
    asked,
    mergeable: isMergeable(view),
    strategy: config.strategy.type,
    calledOff: standing.calledOff,
  }));
  const [, navigate] = useLocation();
  useKeys(
    Object.fromEntries(tabs.map((name, index) => [String(index + 1), () => navigate(hrefInLine(id, name, tabs))])),
  );
  const marks = useMemo(
    () => ({
      ...(view.iteration > 0 ? { iterations: String(view.iteration) } : {}),
      ...(view.commitCount > 0 ? { git: String(view.commitCount) } : {}),
    }),
    [view.iteration, view.commitCount],
  );

  return (
    <div className="flex h-full min-h-[30rem] flex-col max-sm:min-h-0">
      <LoopHeader view={view} git={git.facts} />
      <Timeline
        cells={cells}
        limit={maxIterationsOf(view) ?? null}
        shown={shown}
        onJump={tab === "soda" ? (iteration) => navigate(hrefOf(id, "soda", { iteration })) : place.toIteration}
        onOlder={iterations.loadOlder}
      />
      <TabBar id={id} tabs={tabs} tab={tab} marks={marks} onTools={tools.set} />
      <div className="relative min-h-0 flex-1">
        <Pane active={tab === "log"}>
          <LogView
            feed={feed}
            iterations={iterations}
            state={state}
            cells={allCells}
            root={view.workspace?.directory ?? null}
            active={tab === "log"}
            tools={tools}
            jump={place.jump}
            initialSearch={place.search}
            onSearch={place.onSearch}
            onLink={place.onLink}
            onIterationShown={shown.set}
          />
        </Pane>
        <Pane active={tab === "changes"}>
          <changes.Page view={view} tools={tab === "changes" ? tools : null} />
        </Pane>
        <Pane active={tab === "plan"}>
          <notes.Page view={view} file="plan" active={tab === "plan"} />
        </Pane>
        <Pane active={tab === "status"}>
          <notes.Page view={view} file="status" active={tab === "status"} />
        </Pane>
        <Pane active={tab === "iterations"}>
          <iterationsTab.Page view={view} iterations={iterations} withGit={tabs.includes("changes")} />
        </Pane>
        {config.strategy.type === "soda" && <sodaPanes.Page view={view} tab={tab} />}
        {config.strategy.type === "task" && <taskPanes.Page view={view} tab={tab} onIteration={place.toIteration} />}
        <Pane active={tab === "git"}>
          <gitTab.Page view={view} git={git} />
        </Pane>
      </div>
      <Composer view={view} beside={<Actions view={view} tight />} />
    </div>
  );
}

/** What the address says about the log: a line, an iteration, a search; and the ways to change it. */
function usePlace(id: string, onLog: boolean) {
  const [, navigate] = useLocation();
  const query = new URLSearchParams(useSearch());
  const line = numberOf(query.get("line"));
  const iteration = numberOf(query.get("iteration"));
  const [pressed, setPressed] = useState(0);
  // The same place may be wished for again; each wish is an object of its own.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a press is a wish
  const jump = useMemo<Jump | null>(
    () => (onLog && (line !== null || iteration !== null) ? { line, iteration } : null),
    [onLog, line, iteration, pressed],
  );
  const [search] = useState(() => (onLog ? (query.get("search") ?? "") : ""));
  return {
    jump,
    search,
    toIteration: useCallback(
      (wanted: number) => {
        navigate(hrefOf(id, "log", { iteration: wanted }), { replace: location.pathname === hrefOf(id, "log") });
        setPressed((times) => times + 1);
      },
      [id, navigate],
    ),
    onLink: useCallback(
      (seq: number) => {
        const address = hrefOf(id, "log", { line: seq });
        navigate(address, { replace: true });
        navigator.clipboard?.writeText(`${location.origin}${address}`).then(
          () => announce("Link copied", "It leads to this line."),
          () => {},
        );
      },
      [id, navigate],
    ),
    onSearch: useCallback(
      (text: string) => {
        if (location.pathname !== hrefOf(id, "log")) return;
        navigate(hrefOf(id, "log", text === "" ? {} : { search: text }), { replace: true });
      },
      [id, navigate],
    ),
  };
}

function numberOf(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

function useIterations(id: string): IterationsFeed {
  const feed = useMemo(() => openIterationsFeed(id), [id]);
  useEffect(() => () => feed.close(), [feed]);
  return feed;
}

function Refused({ refusal, onRetry }: { refusal: Refusal; onRetry: (() => void) | undefined }) {
  useTabFace("Ralpher", "quiet");
  const missing = refusal.status === 404;
  return (
    <div className="h-full overflow-y-auto">
      <Problem
        title={missing ? "There is no such loop" : "The loop cannot be shown"}
        refusal={refusal}
        {...(missing || onRetry === undefined ? {} : { onRetry })}
      >
        <Link href="/" className="rounded-md px-3 py-1.5 underline underline-offset-2">
          All loops
        </Link>
      </Problem>
    </div>
  );
}

function Gone({ name, byUs }: { name: string; byUs: boolean }) {
  useTabFace("Deleted · Ralpher", "quiet");
  return (
    <div role="status" className="mx-auto flex max-w-lg flex-col items-start gap-3 px-4 py-16">
      <h1 className="text-title font-semibold [overflow-wrap:anywhere]">“{name}” was deleted</h1>
      <p className="text-soft">
        {byUs
          ? "The loop, its log and its worktree are gone."
          : "Somebody deleted this loop while you were looking at it."}
      </p>
      <Link href="/" className="rounded-sm underline underline-offset-2">
        All loops
      </Link>
    </div>
  );
}

function Loading() {
  return (
    <Delayed>
      <div role="status" aria-label="Loading the loop" className="flex flex-col gap-4 px-4 pt-5 lg:px-6">
        <Bone className="w-72 max-w-full !h-5" />
        <Bone className="w-96 max-w-full" />
        <div className="flex gap-6 pt-2">
          <Bone className="w-16" />
          <Bone className="w-16" />
          <Bone className="w-16" />
        </div>
      </div>
    </Delayed>
  );
}
