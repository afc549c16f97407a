import type { LoopView, TaskDetail } from "@ralpher/contract";
import { useCallback, useEffect, useState } from "react";
import { client, read } from "../../../feed/api.ts";
import { Refusal } from "../../../feed/refusal.ts";
import { momentOf } from "./task-model.ts";

/** Events that come closer together are one reason to read. */
const settleMs = 120;

export interface Detail {
  /** Null before the first answer. */
  detail: TaskDetail | null;
  refusal: Refusal | null;
  /** Read it again: this page has changed something, or asks once more. */
  refresh: () => void;
}

/**
 * A task with its file and its vault, read while it is looked at: again when the loop's view says that something
 * happened in it, and when the reader comes back to the page, for people change the files themselves.
 */
export function useDetail(view: LoopView, active: boolean): Detail {
  const { id } = view;
  const [detail, setDetail] = useState<TaskDetail | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [asked, setAsked] = useState(0);
  const refresh = useCallback(() => setAsked((times) => times + 1), []);
  const moment = momentOf(view);
  const isFirst = detail === null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: read again by what happened
  useEffect(() => {
    if (!active) return;
    const closing = new AbortController();
    const timer = setTimeout(
      () => {
        read(client.loops[":id"].task.$get({ param: { id } }, { init: { signal: closing.signal } })).then(
          (fresh) => {
            if (closing.signal.aborted) return;
            setDetail(fresh as TaskDetail);
            setRefusal(null);
          },
          (error: unknown) => {
            if (closing.signal.aborted) return;
            if (!(error instanceof Refusal)) throw error;
            setRefusal(error);
          },
        );
      },
      isFirst ? 0 : settleMs,
    );
    return () => {
      clearTimeout(timer);
      closing.abort();
    };
  }, [id, active, moment, asked]);

  useEffect(() => {
    if (!active) return;
    const onShown = () => {
      if (!document.hidden) refresh();
    };
    document.addEventListener("visibilitychange", onShown);
    window.addEventListener("focus", onShown);
    return () => {
      document.removeEventListener("visibilitychange", onShown);
      window.removeEventListener("focus", onShown);
    };
  }, [active, refresh]);
  return { detail, refusal, refresh };
}
