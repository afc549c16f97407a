import type { IterationDetail, LoopView } from "@ralpher/contract";
import { useEffect, useRef } from "react";
import type { IterationsFeed } from "../../../feed/iterations-feed.ts";
import { Refusal } from "../../../feed/refusal.ts";
import { useStore } from "../../../feed/store.ts";
import { Button } from "../../../parts/button.tsx";
import { Bone, Delayed } from "../../../parts/delayed.tsx";
import { Problem } from "../../../parts/problem.tsx";
import { IterationItem } from "./iteration-item.tsx";

/** The loop's iterations, newest first: what each was told, what came of it, and the ways to its log and its changes. */
export function IterationsTab({
  view,
  iterations,
  withGit,
}: {
  view: LoopView;
  iterations: IterationsFeed;
  withGit: boolean;
}) {
  const { newestFirst, reachesFirst, begun, load } = useStore(iterations.state, (value) => value);
  const { loadOlder } = iterations;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!begun) void loadOlder();
  }, [begun, loadOlder]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked again when there are more
  useEffect(() => {
    const element = end.current;
    if (element === null) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void loadOlder(), {
      rootMargin: "600px",
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [loadOlder, newestFirst.length, reachesFirst]);

  const gone = view.iteration === 0;
  return (
    <section
      aria-label="Iterations"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="absolute inset-0 overflow-y-auto -outline-offset-2"
    >
      {gone ? (
        <p className="px-4 py-10 text-soft lg:px-6">
          There is no iteration yet. The first begins when the loop starts.
        </p>
      ) : load instanceof Refusal && newestFirst.length === 0 ? (
        <Problem title="The iterations did not load" refusal={load} onRetry={() => void loadOlder()} />
      ) : newestFirst.length === 0 ? (
        <Delayed>
          <div role="status" aria-label="Loading the iterations" className="flex flex-col gap-4 px-4 pt-5 lg:px-6">
            <Bone className="w-72 max-w-full" />
            <Bone className="w-96 max-w-full" />
            <Bone className="w-72 max-w-full" />
          </div>
        </Delayed>
      ) : (
        <>
          <ol reversed start={newestFirst[0]?.iteration} className="list-none">
            {newestFirst.map((detail: IterationDetail) => (
              <IterationItem
                key={detail.iteration}
                id={view.id}
                detail={detail}
                withGit={withGit}
                isTask={view.task !== null}
              />
            ))}
          </ol>
          {load instanceof Refusal ? (
            <p role="alert" className="flex items-center gap-3 px-4 py-4 text-bad lg:px-6">
              Earlier iterations did not load. {load.message}
              <Button onClick={() => void loadOlder()}>Try again</Button>
            </p>
          ) : (
            !reachesFirst && (
              <div ref={end} className="px-4 py-4 text-small text-soft lg:px-6">
                Loading earlier iterations…
              </div>
            )
          )}
        </>
      )}
    </section>
  );
}
