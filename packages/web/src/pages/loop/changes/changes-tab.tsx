import type { FileDiff, LoopView } from "@ralpher/contract";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import type { DiffScope } from "../../../feed/loop-api.ts";
import { useKeys } from "../../../keys/use-keys.ts";
import { Bone, Delayed } from "../../../parts/delayed.tsx";
import { Problem } from "../../../parts/problem.tsx";
import { TabTools, type ToolsPlace } from "../tab-tools.tsx";
import { hrefOf } from "../tabs.ts";
import { ChangesTools } from "./changes-tools.tsx";
import { DiffList, type DiffListHandle } from "./diff-list.tsx";
import { rowsOf } from "./diff-rows.ts";
import { FileTree } from "./file-tree.tsx";
import { foldReason } from "./files.ts";
import { useChanges } from "./use-changes.ts";
import { useDiffMode } from "./use-diff-mode.ts";
import { useViewed } from "./viewed.ts";

/** What the loop changed: the files as a tree, and their lines; in all, by iteration or by commit. */
export function ChangesTab({ view, tools }: { view: LoopView; tools: ToolsPlace | null }) {
  const { id } = view;
  const active = tools !== null;
  const [, navigate] = useLocation();
  const scope = useScope(active);
  const changes = useChanges(id, scope, `${view.head} ${view.phase.status}`, active);
  const { files, tree, loads, loadPatch } = changes;
  const { isViewed, setViewed } = useViewed(id);
  const { ref, mode, split, setMode } = useDiffMode();
  /** What the reader folded or unfolded by hand, by path. */
  const [byHand, setByHand] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [current, setCurrent] = useState<string | null>(null);
  const list = useRef<DiffListHandle>(null);

  const isFolded = (file: FileDiff) =>
    byHand.get(file.path) ?? (isViewed(file.path, file.blob) || foldReason(file) !== null);
  const rows = files.flatMap((file) => {
    const folded = isFolded(file);
    const reason = folded && !byHand.has(file.path) && !isViewed(file.path, file.blob) ? foldReason(file) : null;
    return rowsOf({ file, folded, reason, load: loads.get(file.path) ?? null }, split);
  });
  const totals = useMemo(() => totalsOf(files), [files]);
  const viewed = files.filter(({ path, blob }) => isViewed(path, blob)).length;

  const onFold = useCallback(
    (file: FileDiff, folded: boolean) => {
      setByHand((before) => new Map(before).set(file.path, folded));
      if (!folded && file.patch === undefined && !file.binary) loadPatch(file.path);
    },
    [loadPatch],
  );
  const onViewed = useCallback(
    (file: FileDiff, yes: boolean) => {
      setViewed(file.path, file.blob, yes);
      setByHand((before) => new Map(before).set(file.path, yes));
    },
    [setViewed],
  );
  const onFile = (path: string) => list.current?.toFile(path);
  const atHand = files.find(({ path }) => path === current);
  useKeys(
    active
      ? {
          j: () => list.current?.step(1),
          k: () => list.current?.step(-1),
          v: () => atHand !== undefined && onViewed(atHand, !isViewed(atHand.path, atHand.blob)),
          u: () => setMode(mode === "split" ? "unified" : "split"),
        }
      : {},
  );
  useFileInAddress(active && tree !== null, onFile);

  return (
    <div ref={ref} className="absolute inset-0 flex">
      {tools !== null && (
        <TabTools place={tools}>
          <ChangesTools
            view={view}
            scope={scope}
            onScope={(query) => navigate(hrefOf(id, "changes", query), { replace: true })}
            mode={mode}
            onMode={setMode}
            stale={changes.stale}
            loading={changes.loading}
            onRefresh={changes.refresh}
          />
        </TabTools>
      )}
      {changes.refusal !== null && tree === null ? (
        <div className="w-full overflow-y-auto">
          <Problem title="The changes did not load" refusal={changes.refusal} onRetry={changes.refresh} />
        </div>
      ) : tree === null ? (
        <Loading />
      ) : files.length === 0 ? (
        <Nothing view={view} scope={scope} />
      ) : (
        <>
          <div className="hidden w-72 shrink-0 flex-col border-r border-line md:flex 2xl:w-96">
            <p className="flex h-9 shrink-0 items-center gap-2 border-b border-line px-3 text-small text-soft">
              <Totals {...totals} files={files.length} viewed={viewed} />
            </p>
            <div className="min-h-0 flex-1">
              <FileTree tree={tree} current={current} isViewed={isViewed} onFile={onFile} />
            </div>
          </div>
          <div className="flex min-w-0 flex-1 flex-col">
            <div className="flex shrink-0 flex-col gap-1 border-b border-line px-3 py-1.5 md:hidden">
              <p className="flex items-center gap-2 text-small text-soft">
                <Totals {...totals} files={files.length} viewed={viewed} />
              </p>
              <select
                aria-label="Go to a file"
                value={current ?? ""}
                onChange={(event) => onFile(event.target.value)}
                className="figure h-9 w-full min-w-0 rounded-md border border-edge bg-bg px-2 touch:h-11"
              >
                {files.map(({ path }) => (
                  <option key={path} value={path}>
                    {path}
                  </option>
                ))}
              </select>
            </div>
            <div className="relative min-h-0 flex-1">
              <DiffList
                rows={rows}
                handle={list}
                isFolded={isFolded}
                isViewed={isViewed}
                onFold={onFold}
                onViewed={onViewed}
                onLoad={loadPatch}
                onCurrent={setCurrent}
              />
            </div>
          </div>
        </>
      )}
    </div>
  );
}

/** The scope in the address; while another tab is on the screen, the last one. */
function useScope(active: boolean): DiffScope {
  const query = new URLSearchParams(useSearch());
  const iteration = Number(query.get("iteration"));
  const commit = query.get("commit");
  const own: DiffScope =
    commit !== null && /^[0-9a-f]{7,64}$/.test(commit)
      ? { commit }
      : Number.isSafeInteger(iteration) && iteration > 0
        ? { iteration }
        : {};
  const last = useRef(own);
  if (active) last.current = own;
  return last.current;
}

/** `?file=` of the address is gone to, once each time that it is another address. */
function useFileInAddress(ready: boolean, onFile: (path: string) => void): void {
  const search = useSearch();
  const gone = useRef("");
  useEffect(() => {
    if (!ready || gone.current === search) return;
    gone.current = search;
    const file = new URLSearchParams(search).get("file");
    if (file !== null) onFile(file);
  });
}

function totalsOf(files: FileDiff[]): { additions: number; deletions: number } {
  let [additions, deletions] = [0, 0];
  for (const file of files) {
    additions += file.additions;
    deletions += file.deletions;
  }
  return { additions, deletions };
}

function Totals(props: { files: number; additions: number; deletions: number; viewed: number }) {
  const { files, additions, deletions, viewed } = props;
  return (
    <>
      <span>{files === 1 ? "1 file" : `${files.toLocaleString("en-US")} files`}</span>
      <span className="figure text-good">+{additions.toLocaleString("en-US")}</span>
      <span className="figure text-bad">−{deletions.toLocaleString("en-US")}</span>
      <span className="ml-auto">{viewed === files ? "all viewed" : `${viewed} viewed`}</span>
    </>
  );
}

function Nothing({ view, scope }: { view: LoopView; scope: DiffScope }) {
  const text =
    scope.commit !== undefined
      ? "This commit changes no files."
      : scope.iteration !== undefined
        ? `Iteration ${scope.iteration} saved no changes.`
        : view.phase.status === "discarded"
          ? "The loop was discarded; its branch is gone. Restore it to see what it changed."
          : "Nothing has changed yet. What the loop saves appears here.";
  return <p className="px-4 py-10 text-soft lg:px-6">{text}</p>;
}

function Loading() {
  return (
    <Delayed>
      <div role="status" aria-label="Loading the changes" className="flex flex-col gap-3 px-4 pt-4 lg:px-6">
        <Bone className="w-64" />
        <Bone className="w-96 max-w-full" />
        <Bone className="w-80 max-w-full" />
      </div>
    </Delayed>
  );
}
