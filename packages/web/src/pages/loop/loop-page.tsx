import { isMergeable } from "@ralpher/contract";
import { useCallback, useMemo, useState } from "react";
import { Link } from "wouter";
import { deletedHere } from "../../act/act.ts";
import { useActionKeys } from "../../act/use-action-keys.ts";
import type { LoopFeed } from "../../feed/loop-feed.ts";
import type { Refusal } from "../../feed/refusal.ts";
import { createStore, useStore } from "../../feed/store.ts";
import { Bone, Delayed } from "../../parts/delayed.tsx";
import { Problem } from "../../parts/problem.tsx";
import { useLoopFeed } from "../../shell/feeds.ts";
import { useTabFace } from "../../shell/tab-face.ts";
import { timelineOf } from "../../words/iterations.ts";
import { meaningOf, wordOf } from "../../words/state.ts";
import { LogView } from "./log/log-view.tsx";
import type { Jump } from "./log/use-jump.ts";
import { Actions, LoopHeader } from "./loop-header.tsx";
import { Timeline } from "./timeline.tsx";

const loading = createStore<ReturnType<LoopFeed["state"]["get"]>>({ status: "loading" });

/** One loop: how it stands, its iterations, its log as it happens. */
export function LoopPage({ id }: { id: string }) {
  const feed = useLoopFeed(id);
  const state = useStore(feed?.state ?? loading, (value) => value);
  const deletedByUs = useStore(deletedHere, (value) => value === id);
  if (state.status === "refused") {
    return <Refused refusal={state.refusal} onRetry={feed?.retry} />;
  }
  if (state.status === "loading" || feed === null) return <Loading />;
  if (state.page.deleted) return <Gone name={state.page.view.config.name} byUs={deletedByUs} />;
  return <Shown feed={feed} state={state} />;
}

function Shown({
  feed,
  state,
}: {
  feed: LoopFeed;
  state: Extract<ReturnType<LoopFeed["state"]["get"]>, { status: "ready" }>;
}) {
  const { page, older } = state;
  const { view, log, live, reachesBeginning } = page;
  const [jump, setJump] = useState<Jump | null>(null);
  const [shown, setShown] = useState(0);
  const cells = useMemo(() => timelineOf(view, log.iterations), [view, log.iterations]);
  const cellsByNumber = useMemo(() => new Map(cells.map((cell) => [cell.iteration, cell])), [cells]);
  const onJump = useCallback((iteration: number) => setJump({ iteration }), []);

  const { status } = view.phase;
  const asked = "ask" in view.phase ? view.phase.ask?.to : undefined;
  useTabFace(`${wordOf(status, asked)}: ${view.config.name} · Ralpher`, meaningOf(status));
  useActionKeys(() => ({ id: view.id, name: view.config.name, status, asked, mergeable: isMergeable(view) }));

  return (
    <div className="flex h-full min-h-[30rem] flex-col max-sm:min-h-0">
      <LoopHeader view={view} />
      <Timeline cells={cells} limit={view.config.maxIterations ?? null} shown={shown} onJump={onJump} />
      <LogView
        log={log}
        live={live}
        cells={cellsByNumber}
        root={view.workspace?.directory ?? null}
        reachesBeginning={reachesBeginning}
        older={older}
        loadOlder={feed.loadOlder}
        jump={jump}
        onIterationShown={setShown}
      />
      <div className="flex shrink-0 justify-end gap-1 border-t border-line px-3 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] empty:hidden sm:hidden">
        <Actions view={view} tight />
      </div>
    </div>
  );
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
