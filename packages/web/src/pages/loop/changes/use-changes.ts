import type { FileDiff } from "@ralpher/contract";
import { useCallback, useEffect, useRef, useState } from "react";
import { type DiffScope, readDiff } from "../../../feed/loop-api.ts";
import { Refusal } from "../../../feed/refusal.ts";
import { inTreeOrder, type TreeNode, treeOf } from "./files.ts";

export interface Changes {
  /** Null before the first answer. */
  tree: TreeNode[] | null;
  files: FileDiff[];
  refusal: Refusal | null;
  loading: boolean;
  /** Something was saved since this was read. */
  stale: boolean;
  refresh: () => void;
  /** Ask for the patch of a file that came without. */
  loadPatch: (path: string) => void;
  /** How the patches stand that were asked for. */
  loads: ReadonlyMap<string, "loading" | "failed">;
}

interface Known {
  of: string;
  moment: string;
  tree: TreeNode[];
  files: FileDiff[];
}

const noLoads: ReadonlyMap<string, "loading" | "failed"> = new Map();

/** What changed in a scope. Read once; `moment` is another text when there may be more, and then it is offered. */
export function useChanges(id: string, scope: DiffScope, moment: string, enabled: boolean): Changes {
  const of = JSON.stringify(scope);
  const [known, setKnown] = useState<Known | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [loading, setLoading] = useState(false);
  const [loads, setLoads] = useState(noLoads);
  const latest = useRef({ scope, moment, of });
  latest.current = { scope, moment, of };
  const running = useRef<AbortController | null>(null);

  const read = useCallback(async () => {
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    const asked = latest.current;
    setLoading(true);
    setRefusal(null);
    try {
      const tree = treeOf(await readDiff(id, asked.scope, mine.signal));
      setKnown({ of: asked.of, moment: asked.moment, tree, files: inTreeOrder(tree) });
      setLoads(noLoads);
      setLoading(false);
    } catch (error) {
      if (mine.signal.aborted) return;
      if (!(error instanceof Refusal)) throw error;
      setRefusal(error);
      setLoading(false);
    }
  }, [id]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another scope is read at once
  useEffect(() => {
    if (enabled && known?.of !== of) void read();
  }, [enabled, of, read]);
  useEffect(() => () => running.current?.abort(), []);

  const current = known?.of === of ? known : null;
  return {
    tree: current?.tree ?? null,
    files: current?.files ?? [],
    refusal,
    loading,
    stale: current !== null && current.moment !== moment,
    refresh: useCallback(() => void read(), [read]),
    loadPatch: useCallback(
      async (path: string) => {
        const asked = latest.current;
        const mark = (load: "loading" | "failed" | null) =>
          setLoads((before) => {
            const next = new Map(before);
            if (load === null) next.delete(path);
            else next.set(path, load);
            return next;
          });
        mark("loading");
        try {
          const [file] = await readDiff(id, { ...asked.scope, path });
          setKnown((before) => {
            if (before === null || before.of !== asked.of || file === undefined) return before;
            const files = before.files.map((each) =>
              each.path === path ? { ...file, patch: file.patch ?? "" } : each,
            );
            return { ...before, tree: treeOf(files), files };
          });
          mark(null);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          mark("failed");
        }
      },
      [id],
    ),
    loads,
  };
}
