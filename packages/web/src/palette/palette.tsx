import BookOpen from "lucide-react/icons/book-open";
import CornerDownRight from "lucide-react/icons/corner-down-right";
import Keyboard from "lucide-react/icons/keyboard";
import Search from "lucide-react/icons/search";
import SunMoon from "lucide-react/icons/sun-moon";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
import { act } from "../act/act.ts";
import { actionGlyphs } from "../act/action-button.tsx";
import { useStore } from "../feed/store.ts";
import { StateGlyph } from "../parts/state-mark.tsx";
import { useListbox } from "../parts/use-listbox.ts";
import { loopsFeed } from "../shell/feeds.ts";
import { chooseTheme } from "../theme.ts";
import { type BandName, bandTitles, groupIntoBands } from "../words/bands.ts";
import { standingOf, wordOf } from "../words/state.ts";
import { type PaletteItem, paletteGroups } from "./commands.ts";

/** Everything one can go to or do, by typing a little of it. `hereId` is the loop at hand. */
export function Palette({
  hereId,
  onClose,
  onHelp,
}: {
  hereId: string | null;
  onClose: () => void;
  onHelp: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [, navigate] = useLocation();
  const loops = useStore(loopsFeed.state, (state) => state.loops);
  const groups = useMemo(() => {
    const bands = groupIntoBands(loops.values());
    const ordered = (Object.keys(bandTitles) as BandName[]).flatMap((name) => bands[name]);
    return paletteGroups(typed, ordered, ordered.find(({ config }) => config.id === hereId) ?? null);
  }, [typed, loops, hereId]);
  const items = groups.flatMap((group) => group.items);

  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);

  const run = (item: PaletteItem | undefined) => {
    if (item === undefined) return;
    onClose();
    switch (item.kind) {
      case "go":
        return navigate(item.path);
      case "loop":
        return navigate(`/${item.loop.config.id}`);
      case "act":
        return act({ id: item.loop.config.id, name: item.loop.config.name }, item.action);
      case "theme":
        return chooseTheme(item.theme);
      case "help":
        return onHelp();
      case "page":
        window.open(item.href, "_blank", "noreferrer");
    }
  };
  const listbox = useListbox(items.length, (index) => run(items[index]), {
    name: "Results",
    expanded: items.length > 0,
    start: 0,
  });
  let index = -1;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc is the dialog's own key; the click is on the backdrop
    <dialog
      ref={ref}
      aria-label="Command palette"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose();
      }}
      className="mx-auto mt-[12dvh] mb-auto w-[min(38rem,calc(100vw-1.5rem))] animate-appear overflow-hidden rounded-lg bg-bg text-ink shadow-over backdrop:bg-black/45 max-sm:mt-3"
    >
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Search aria-hidden="true" className="size-4 shrink-0 text-soft" />
        <input
          {...listbox.field}
          aria-label="Go to a page or a loop, or do something"
          placeholder="Go to a page or a loop, or do something"
          autoFocus
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            listbox.reset();
          }}
          onKeyDown={(event) => listbox.onKeyDown(event)}
          className="h-12 w-full min-w-0 bg-transparent outline-none placeholder:text-soft"
        />
        <kbd className="figure shrink-0 rounded-sm px-1.5 py-0.5 text-soft ring-1 ring-line max-sm:hidden">esc</kbd>
      </div>
      <div {...listbox.list} className="max-h-[min(26rem,60dvh)] overflow-y-auto p-1.5">
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options
          <div key={group.title} role="group" aria-label={group.title}>
            <p aria-hidden="true" className="truncate px-2.5 pt-2 pb-1 text-small text-soft">
              {group.title}
            </p>
            {group.items.map((item) => {
              index += 1;
              return <Item key={item.key} item={item} option={listbox.option(index)} />;
            })}
          </div>
        ))}
      </div>
      {items.length === 0 && <p className="px-4 pb-4 text-soft">Nothing answers to “{typed.trim()}”.</p>}
      <p role="status" className="sr-only">
        {items.length} results
      </p>
    </dialog>
  );
}

function Item({ item, option }: { item: PaletteItem; option: ReturnType<ReturnType<typeof useListbox>["option"]> }) {
  return (
    <div
      {...option}
      className="flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 aria-selected:bg-raise touch:py-3"
    >
      <Glyph item={item} />
      <span className="min-w-0 flex-1 truncate">
        {item.label}
        {item.kind === "loop" && <span className="text-soft"> · {wordOf(standingOf(item.loop))}</span>}
      </span>
      {item.hint !== undefined && (
        <span className="figure max-w-[45%] shrink-0 truncate text-soft max-sm:hidden">{item.hint}</span>
      )}
    </div>
  );
}

function Glyph({ item }: { item: PaletteItem }) {
  if (item.kind === "loop") return <StateGlyph {...standingOf(item.loop)} />;
  const Found =
    item.kind === "act"
      ? actionGlyphs[item.action.name]
      : { go: CornerDownRight, theme: SunMoon, help: Keyboard, page: BookOpen }[item.kind];
  return <Found aria-hidden="true" className="size-4 shrink-0 text-soft" />;
}
