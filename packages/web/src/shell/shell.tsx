import Keyboard from "lucide-react/icons/keyboard";
import Menu from "lucide-react/icons/menu";
import Plus from "lucide-react/icons/plus";
import Search from "lucide-react/icons/search";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { Questions } from "../act/questions.tsx";
import { useStore } from "../feed/store.ts";
import { useKeys } from "../keys/use-keys.ts";
import { LazyPalette, preloadPalette } from "../palette/lazy-palette.tsx";
import { buttonLook, IconButton } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { lazyPage } from "../parts/lazy-page.tsx";
import { Notices } from "../parts/notices.tsx";
import { bandOf } from "../words/bands.ts";
import { standingOf } from "../words/state.ts";
import { ConnectionMark } from "./connection-mark.tsx";
import { loopsFeed } from "./feeds.ts";
import { Rail } from "./rail.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

const help = lazyPage(async () => (await import("./help.tsx")).Help);

/** Fetch the help's code before it is wanted. */
export const preloadHelp = help.preload;

/** What stands around every page: the rail (a sheet on small screens), the bar, the dialogs and the notices. */
export function Shell({ children }: { children: ReactNode }) {
  const [sheet, setSheet] = useState(false);
  const [helping, setHelping] = useState(false);
  const [palette, setPalette] = useState<{ hereId: string | null } | null>(null);
  const [location, navigate] = useLocation();
  useFocusOnArrival(location);
  const closeSheet = useCallback(() => setSheet(false), []);
  useKeys({
    "g l": () => navigate("/"),
    "g n": () => navigate("/#needs-you"),
    "g w": () => navigate("/work-items"),
    "g v": () => navigate("/vault"),
    "g s": () => navigate("/settings"),
    c: () => navigate("/new"),
    "?": () => setHelping(true),
  });
  const openPalette = useCallback(() => setPalette({ hereId: loopAtHand() }), []);
  const closePalette = useCallback(() => setPalette(null), []);
  usePaletteKey(openPalette);
  return (
    <div className="flex h-dvh overflow-hidden">
      <a
        href="#page"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-fill px-3 py-2 text-on-fill focus:translate-y-0"
      >
        Skip to the page
      </a>
      <div className="hidden min-h-0 w-64 shrink-0 overflow-hidden border-r border-line lg:block">
        <Rail />
      </div>
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="flex h-12 shrink-0 items-center gap-1 border-b border-line px-2 lg:px-4">
          <IconButton name="All loops" className="lg:hidden" onClick={() => setSheet(true)}>
            <span className="relative">
              <Menu />
              <NeedsYouDot />
            </span>
          </IconButton>
          <div className="min-w-0 flex-1 truncate px-1 font-medium lg:px-2">
            {location === "/" ? (
              <span>Loops</span>
            ) : (
              <Link href="/" className="rounded-sm text-soft hover:text-ink touch:py-3">
                <span aria-hidden="true">← </span>Loops
              </Link>
            )}
          </div>
          <button
            type="button"
            onClick={openPalette}
            onPointerEnter={preloadPalette}
            className="mr-2 flex h-8 w-56 items-center gap-2 rounded-md bg-panel px-2.5 text-soft ring-1 ring-line hover:bg-raise hover:text-ink max-md:hidden"
          >
            <Search aria-hidden="true" className="size-4" />
            <span className="flex-1 text-left">Go to…</span>
            <kbd className="figure">{paletteKeyName}</kbd>
          </button>
          <ConnectionMark />
          <span className="w-1 max-sm:hidden" />
          <span className="max-sm:hidden">
            <ThemeSwitch />
          </span>
          <IconButton name="Go to…" className="md:hidden" onClick={openPalette}>
            <Search />
          </IconButton>
          {location !== "/new" && (
            <Link href="/new" aria-label="New loop" title="New loop" className={buttonLook("quiet", "w-11 sm:hidden")}>
              <Plus aria-hidden="true" />
            </Link>
          )}
          <IconButton name="Keys" className="max-md:hidden" onClick={() => setHelping(true)}>
            <Keyboard />
          </IconButton>
        </header>
        <main id="page" tabIndex={-1} className="min-h-0 flex-1 outline-none">
          {children}
        </main>
      </div>
      {sheet && (
        <Dialog
          title="All loops"
          onClose={closeSheet}
          className="mr-auto h-dvh max-h-none w-80 max-w-[85vw] [&>h2]:hidden"
        >
          <Rail onGo={closeSheet} />
        </Dialog>
      )}
      {helping && <help.Page onClose={() => setHelping(false)} />}
      {palette !== null && (
        <LazyPalette hereId={palette.hereId} onClose={closePalette} onHelp={() => setHelping(true)} />
      )}
      <Questions />
      <Notices />
    </div>
  );
}

const paletteKeyName = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘K" : "Ctrl K";

/** ⌘K or Ctrl+K, also while one types; not while a dialog asks something. */
function usePaletteKey(open: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey)
        return;
      if (document.querySelector("dialog[open]") !== null) return;
      event.preventDefault();
      open();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [open]);
}

/** The loop whose line has the focus, or whose page this is. */
function loopAtHand(): string | null {
  const line = document.activeElement?.closest("li")?.querySelector<HTMLElement>("a[data-loop]");
  return line?.dataset.loop ?? location.pathname.split("/")[1] ?? null;
}

/** After a change of page the focus must not be lost with the link that was pressed: it goes to the new page. */
function useFocusOnArrival(location: string): void {
  const last = useRef(location);
  useEffect(() => {
    if (last.current === location) return;
    last.current = location;
    if (document.activeElement === document.body) document.getElementById("page")?.focus({ preventScroll: true });
  }, [location]);
}

function NeedsYouDot() {
  const needing = useStore(loopsFeed.state, ({ loops }) =>
    [...loops.values()].some((loop) => bandOf(standingOf(loop)) === "needs-you"),
  );
  return needing ? <span className="absolute -top-1 -right-1 size-2 rounded-full bg-need ring-2 ring-bg" /> : null;
}
