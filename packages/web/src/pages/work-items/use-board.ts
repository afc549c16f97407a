import type { WorkBoard } from "@ralpher/contract";
import { useCallback, useEffect, useRef, useState } from "react";
import { Refusal } from "../../feed/refusal.ts";
import { readBoard, readStamp } from "./items-api.ts";

/** So often it is looked whether anything changed, in milliseconds, while somebody looks at the page. */
const lookEveryMs = 3_000;

export interface Board {
  /** Null before the first answer. */
  board: WorkBoard | null;
  /** Why it could not be read, or not again. */
  refusal: Refusal | null;
  /** Read it again: this page has changed something. Resolves when it is here. */
  refresh: () => Promise<void>;
}

/**
 * The work items of a folder, kept up to date while `active`: whoever changes them, this page, a loop, or `trc` in a
 * terminal. While nobody looks nothing is asked.
 */
export function useBoard(directory: string | null, root: string | undefined, active: boolean): Board {
  const [known, setKnown] = useState<{ of: string; board: WorkBoard } | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const of = `${directory} ${root ?? ""}`;
  const latest = useRef({ of, stamp: "" });
  if (latest.current.of !== of) latest.current = { of, stamp: "" };
  const closing = useRef<AbortController | null>(null);

  const readAll = useCallback(
    async (signal: AbortSignal) => {
      if (directory === null) return;
      const board = await readBoard(directory, root, signal);
      if (signal.aborted || latest.current.of !== of) return;
      latest.current.stamp = board.stamp;
      setKnown({ of, board });
      setRefusal(null);
    },
    [directory, root, of],
  );

  useEffect(() => {
    if (directory === null || !active) return;
    const own = new AbortController();
    closing.current = own;
    const look = async () => {
      if (document.hidden) return;
      try {
        const stamp = latest.current.stamp === "" ? null : await readStamp(directory, own.signal);
        if (stamp === null || stamp !== latest.current.stamp) await readAll(own.signal);
      } catch (error) {
        if (own.signal.aborted) return;
        if (!(error instanceof Refusal)) throw error;
        setRefusal(error);
      }
    };
    let timer: ReturnType<typeof setTimeout>;
    // One look after the other, however slow the answers are.
    const next = async () => {
      await look();
      if (!own.signal.aborted) timer = setTimeout(next, lookEveryMs);
    };
    void next();
    const onShown = () => void look();
    document.addEventListener("visibilitychange", onShown);
    return () => {
      own.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onShown);
    };
  }, [directory, active, readAll]);

  const refresh = useCallback(async () => {
    const signal = closing.current?.signal ?? new AbortController().signal;
    try {
      await readAll(signal);
    } catch (error) {
      if (!signal.aborted && error instanceof Refusal) setRefusal(error);
    }
  }, [readAll]);

  return { board: known?.of === of ? known.board : null, refusal, refresh };
}
