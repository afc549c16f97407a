import Plus from "lucide-react/icons/plus";
import { useEffect, useMemo, useRef, useState } from "react";
import { useSearch } from "wouter";
import { useKeys } from "../../keys/use-keys.ts";
import { Button } from "../../parts/button.tsx";
import { CommandLine } from "../../parts/command-line.tsx";
import { Bone, Delayed } from "../../parts/delayed.tsx";
import { inputLook } from "../../parts/field.tsx";
import { Problem } from "../../parts/problem.tsx";
import { ItemDetail } from "./item-detail.tsx";
import { CloseItemDialog, EditItemDialog, NewItemDialog } from "./item-forms.tsx";
import { ItemTree } from "./item-tree.tsx";
import { changesIn } from "./items-api.ts";
import { countItems, type ItemFilter, itemFilters, treeRows } from "./tree-model.ts";
import { useBoard } from "./use-board.ts";

type Asking = "new" | "new-under" | "edit" | "close" | null;

/** The work items of a folder, or those of one root: the tree, and one item at its side. */
export function BoardView({
  directory,
  root,
  active = true,
  selected,
  onSelect,
}: {
  directory: string;
  /** Only this item and what is below it. */
  root?: string | undefined;
  active?: boolean;
  selected: string | null;
  onSelect: (id: string | null) => void;
}) {
  const { board, refusal, refresh } = useBoard(directory, root, active);
  const changes = useMemo(() => changesIn(directory), [directory]);
  const [filter, setFilter] = useState<ItemFilter>("open");
  const [text, setText] = useState("");
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState<Asking>(null);
  const list = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const writing = useRef<HTMLFormElement>(null);
  const counts = useMemo(() => (board === null ? null : countItems(board)), [board]);
  const rows = useMemo(
    () => (board === null ? [] : treeRows(board, { filter, text, folded })),
    [board, filter, text, folded],
  );
  const item = board?.items.find(({ id }) => id === selected) ?? null;
  const latest = useRef(onSelect);
  latest.current = onSelect;
  const [{ pick, fold }] = useState(() => ({
    pick: (id: string) => latest.current(id),
    fold: (id: string) =>
      setFolded((before) => {
        const next = new Set(before);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
  }));

  // `&comment=1` of the address: whoever comes from there has something to say.
  const comments = new URLSearchParams(useSearch()).has("comment");
  const isThere = item !== null;
  useEffect(() => {
    if (active && comments && isThere) writing.current?.querySelector("textarea")?.focus();
  }, [active, comments, isThere]);

  // A dialog gives the focus back to the line that had it; what was made in it is what one goes on with.
  useEffect(() => {
    const focused = document.activeElement as HTMLElement | null;
    if (asking !== null || selected === null || focused?.dataset.item === undefined) return;
    if (focused.dataset.item === selected) return;
    const line = list.current?.querySelector<HTMLElement>(`[data-item="${CSS.escape(selected)}"]`);
    if (line) line.focus();
    else focused.blur();
  }, [asking, selected]);

  const links = () => [...(list.current?.querySelectorAll<HTMLElement>("[data-item]") ?? [])];
  const move = (by: 1 | -1) => () => {
    const all = links();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const from = at >= 0 ? at : all.findIndex((each) => each.dataset.item === selected);
    const next = from < 0 ? all[by === 1 ? 0 : all.length - 1] : all[from + by];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  /** What a key is about: the line that has the focus, else what is at the side. */
  const atHand = (): boolean => {
    const id = (document.activeElement as HTMLElement | null)?.dataset.item ?? selected;
    if (id === null || id === undefined) return false;
    if (id !== selected) onSelect(id);
    return true;
  };
  const toList = () => {
    if (selected !== null) onSelect(null);
  };
  useKeys(
    active
      ? {
          j: move(1),
          k: move(-1),
          n: () => setAsking("new"),
          c: () => atHand() && requestAnimationFrame(() => writing.current?.querySelector("textarea")?.focus()),
          x: () => atHand() && setAsking("close"),
          "/": () => search.current?.focus(),
          Escape: toList,
        }
      : {},
  );

  if (board === null && refusal !== null) {
    return (
      <div className="h-full overflow-y-auto">
        <Problem title="The work items cannot be shown" refusal={refusal} onRetry={() => void refresh()} />
      </div>
    );
  }
  if (board === null || counts === null) return <Loading />;
  return (
    <div className="@container h-full">
      <div className="flex h-full">
        <div className={`min-w-0 flex-1 flex-col @4xl:flex ${item === null ? "flex" : "hidden"}`}>
          <div className="flex shrink-0 flex-wrap items-center gap-x-2 gap-y-1.5 border-b border-line px-4 py-2 lg:px-6">
            <fieldset aria-label="Which items" className="-ml-2 flex min-w-0 overflow-x-auto [scrollbar-width:none]">
              {itemFilters.map(({ filter: each, label }) => (
                <button
                  key={each}
                  type="button"
                  aria-pressed={filter === each}
                  onClick={() => setFilter(each)}
                  className={`flex h-8 shrink-0 items-center gap-1.5 rounded-md px-2 -outline-offset-2 touch:h-11 ${filter === each ? "bg-raise font-medium" : "text-soft hover:text-ink"}`}
                >
                  {label}
                  <span className="figure text-soft">{counts[each]}</span>
                </button>
              ))}
            </fieldset>
            <span className="flex-1" />
            <input
              ref={search}
              type="search"
              value={text}
              aria-label="Filter the work items"
              placeholder="Filter ( / )"
              onChange={(event) => setText(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === "Escape") event.currentTarget.blur();
              }}
              className={`${inputLook} !h-8 !min-h-8 !w-44 touch:!h-11`}
            />
            <Button onClick={() => setAsking(root === undefined ? "new" : "new-under")} title="New item (n)">
              <Plus aria-hidden="true" />
              New
            </Button>
          </div>
          {refusal !== null && (
            <p
              role="status"
              className="shrink-0 border-b border-line bg-need-tint px-4 py-1.5 text-small text-need lg:px-6"
            >
              These may be out of date: {refusal.message}
            </p>
          )}
          <div ref={list} className="min-h-0 flex-1 overflow-y-auto">
            {rows.length > 0 ? (
              <ItemTree rows={rows} current={selected} onPick={pick} onFold={fold} />
            ) : board.items.length === 0 ? (
              <Empty />
            ) : (
              <p className="px-4 py-8 text-soft lg:px-6">
                {text.trim() === "" ? nothing[filter] : `No item here has “${text.trim()}” in it.`}
              </p>
            )}
          </div>
        </div>
        {item !== null && (
          <div className="min-w-0 flex-1 overflow-y-auto border-line @4xl:max-w-[44rem] @4xl:border-l">
            <ItemDetail
              item={item}
              board={board}
              directory={directory}
              changes={changes}
              refresh={refresh}
              onPick={onSelect}
              onEdit={() => setAsking("edit")}
              onClose={() => setAsking("close")}
              onAddChild={() => setAsking("new-under")}
              writing={writing}
            />
          </div>
        )}
      </div>
      {(asking === "new" || asking === "new-under") && (
        <NewItemDialog
          under={(asking === "new" ? null : item) ?? board.items.find(({ id }) => id === root) ?? null}
          changes={changes}
          onMade={async (id) => {
            await refresh();
            onSelect(id);
          }}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === "edit" && item !== null && (
        <EditItemDialog item={item} changes={changes} onDone={refresh} onClose={() => setAsking(null)} />
      )}
      {asking === "close" && item !== null && item.status !== "closed" && (
        <CloseItemDialog item={item} changes={changes} onDone={refresh} onClose={() => setAsking(null)} />
      )}
    </div>
  );
}

const nothing: Record<ItemFilter, string> = {
  open: "Nothing is open.",
  ready: "Nothing is ready: what is open waits for something else.",
  blocked: "Nothing is blocked.",
  closed: "Nothing was closed yet.",
  all: "There is nothing here.",
};

function Empty() {
  return (
    <div className="flex max-w-2xl flex-col gap-3 px-4 py-10 lg:px-6">
      <h2 className="text-title font-semibold">No work items yet</h2>
      <p className="text-soft">
        Tasks that people and loops share, kept beside the code. A SODA loop makes its own; you can, too, here or in a
        terminal:
      </p>
      <CommandLine command="trc init" />
      <CommandLine command='trc create "Say which file is missing" --description "exit code 2 and a sentence"' />
    </div>
  );
}

function Loading() {
  return (
    <Delayed>
      <div role="status" aria-label="Loading the work items" className="flex flex-col gap-4 px-4 pt-5 lg:px-6">
        <Bone className="w-72 max-w-full" />
        <Bone className="w-96 max-w-full" />
        <Bone className="w-80 max-w-full" />
      </div>
    </Delayed>
  );
}
