import type { LoopView, SodaIteration, SodaReport } from "@ralpher/contract";
import { useCallback, useEffect, useRef, useState } from "react";
import { client, read } from "../../../feed/api.ts";
import { Refusal } from "../../../feed/refusal.ts";
import { momentOf } from "./phase-model.ts";

const page = 50;

export interface Report {
  /** Null before the first answer. */
  report: SodaReport | null;
  refusal: Refusal | null;
  /** There are iterations before the ones that are here. */
  hasOlder: boolean;
  loadOlder: () => Promise<void>;
  retry: () => void;
}

/** Newer iterations take the place of what was known of them. */
export function mergeIterations(known: readonly SodaIteration[], fresh: readonly SodaIteration[]): SodaIteration[] {
  const byNumber = new Map([...known, ...fresh].map((each) => [each.iteration, each]));
  return [...byNumber.values()].sort((a, b) => a.iteration - b.iteration);
}

/**
 * A SODA loop's report, read when it is looked at, and brought up to date when the loop's view says that something
 * happened in it: then only what can have changed is read again, once for events that come close together.
 */
export function useReport(view: LoopView, active: boolean): Report {
  const { id } = view;
  const [report, setReport] = useState<SodaReport | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [asked, setAsked] = useState(0);
  const moment = `${momentOf(view)} ${asked}`;
  const latest = useRef({ report, iteration: view.iteration });
  latest.current = { report, iteration: view.iteration };
  const busy = useRef<Promise<void> | null>(null);

  const ask = useCallback(
    async (query: { before?: number; limit: number }, signal?: AbortSignal) => {
      const init = signal === undefined ? {} : { init: { signal } };
      const fresh = await read(client.loops[":id"].soda.$get({ param: { id }, query }, init));
      setReport((before) => ({
        ...(query.before === undefined || before === null ? fresh : before),
        iterations: mergeIterations(before?.iterations ?? [], fresh.iterations),
      }));
    },
    [id],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: read again by what happened
  useEffect(() => {
    if (!active) return;
    const closing = new AbortController();
    const bring = async () => {
      // What is asked for already may be too old; this one is not.
      await busy.current?.catch(() => {});
      if (closing.signal.aborted) return;
      const known = latest.current.report?.iterations.at(-1)?.iteration;
      // The last one that is known may have gone on, too.
      const limit = known === undefined ? page : Math.min(page, latest.current.iteration - known + 2);
      const asking = ask({ limit: Math.max(1, limit) }, closing.signal);
      busy.current = asking;
      await asking;
      setRefusal(null);
    };
    bring().catch((error) => {
      if (closing.signal.aborted) return;
      if (!(error instanceof Refusal)) throw error;
      setRefusal(error);
    });
    return () => closing.abort();
  }, [active, ask, moment]);

  const first = report?.iterations[0];
  return {
    report,
    refusal,
    hasOlder: first !== undefined && first.iteration > 1,
    loadOlder: useCallback(async () => {
      const oldest = latest.current.report?.iterations[0];
      if (oldest === undefined) return;
      try {
        await ask({ before: oldest.seq, limit: page });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        setRefusal(error);
      }
    }, [ask]),
    retry: useCallback(() => setAsked((times) => times + 1), []),
  };
}
