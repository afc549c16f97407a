import type { LoopSummary } from "@ralpher/contract";
import Bell from "lucide-react/icons/bell";
import FolderCheck from "lucide-react/icons/folder-check";
import Layers from "lucide-react/icons/layers";
import ListTree from "lucide-react/icons/list-tree";
import Plus from "lucide-react/icons/plus";
import Settings from "lucide-react/icons/settings";
import { memo, type ReactNode, useMemo } from "react";
import { Link, useLocation, useRoute } from "wouter";
import iconUrl from "../assets/icon-quiet.svg";
import { useStore } from "../feed/store.ts";
import { buttonLook } from "../parts/button.tsx";
import { Spark } from "../parts/spark.tsx";
import { StateGlyph } from "../parts/state-mark.tsx";
import { type BandName, bandTitles, groupIntoBands } from "../words/bands.ts";
import { progressOf } from "../words/progress.ts";
import { standingOf, wordOf } from "../words/state.ts";
import { loopsFeed } from "./feeds.ts";

/** More than this of one kind are a list to search, not to glance at: the overview has them all. */
const mostPerBand = 20;

/** The left rail: where one can go, and every loop with its state. */
export function Rail({ onGo }: { onGo?: () => void }) {
  const loops = useStore(loopsFeed.state, ({ loops }) => loops);
  const bands = useMemo(() => groupIntoBands(loops.values()), [loops]);
  const needing = bands["needs-you"].length;
  return (
    <nav aria-label="Loops" className="flex h-full flex-col bg-panel">
      <Link
        href="/"
        onClick={onGo}
        className="flex h-12 shrink-0 items-center gap-2 px-4 font-semibold -outline-offset-2"
      >
        <img src={iconUrl} alt="" className="size-5" />
        Ralpher
      </Link>
      <div className="px-2">
        <Place href="/#needs-you" onGo={onGo} glyph={<Bell aria-hidden="true" />} count={needing} loud>
          Needs you
        </Place>
        <Place href="/" onGo={onGo} glyph={<Layers aria-hidden="true" />} count={loops.size}>
          Loops
        </Place>
        <Place href="/vault" onGo={onGo} glyph={<FolderCheck aria-hidden="true" />}>
          Vaults
        </Place>
        <Place href="/work-items" onGo={onGo} glyph={<ListTree aria-hidden="true" />}>
          Work items
        </Place>
        <Place href="/settings" onGo={onGo} glyph={<Settings aria-hidden="true" />}>
          Settings
        </Place>
        <Link href="/new" onClick={onGo} className={`${buttonLook("outlined")} mt-2 w-full`}>
          <Plus aria-hidden="true" />
          New loop
        </Link>
      </div>
      <div className="mt-2 min-h-0 flex-1 overflow-y-auto px-2 pb-4">
        {(Object.keys(bandTitles) as BandName[]).map((name) => (
          <Group key={name} title={bandTitles[name]} loops={bands[name]} onGo={onGo} />
        ))}
      </div>
    </nav>
  );
}

function Place({
  href,
  onGo,
  glyph,
  count,
  loud = false,
  children,
}: {
  href: string;
  onGo: (() => void) | undefined;
  glyph: ReactNode;
  count?: number;
  loud?: boolean;
  children: ReactNode;
}) {
  const [path] = useLocation();
  const here = path === href;
  return (
    <Link
      href={href}
      onClick={onGo}
      aria-current={here ? "page" : undefined}
      className={`flex h-8 items-center gap-2 rounded-md px-2 -outline-offset-2 touch:h-11 [&_svg]:size-4 [&_svg]:text-soft ${here ? "bg-raise font-medium" : "hover:bg-raise"}`}
    >
      {glyph}
      <span className="flex-1">{children}</span>
      {count !== undefined && (
        <span
          className={`figure ${loud && count > 0 ? "rounded-full bg-need-tint px-1.5 font-semibold text-need" : "text-soft"}`}
        >
          {count}
        </span>
      )}
    </Link>
  );
}

function Group({ title, loops, onGo }: { title: string; loops: LoopSummary[]; onGo: (() => void) | undefined }) {
  if (loops.length === 0) return null;
  const rest = loops.length - mostPerBand;
  return (
    <section className="mt-3">
      <h2 className="px-2 pb-1 text-small font-medium text-soft">{title}</h2>
      <ul>
        {loops.slice(0, mostPerBand).map((loop) => (
          <Line key={loop.config.id} loop={loop} onGo={onGo} />
        ))}
      </ul>
      {rest > 0 && (
        <Link href="/" onClick={onGo} className="block rounded-md px-2 py-1.5 text-small text-soft hover:bg-raise">
          and {rest} more
        </Link>
      )}
    </section>
  );
}

const Line = memo(function Line({ loop, onGo }: { loop: LoopSummary; onGo: (() => void) | undefined }) {
  const { config, state } = loop;
  const [here] = useRoute(`/${config.id}/*?`);
  const standing = standingOf(loop);
  const word = wordOf(standing);
  const { done, limit } = progressOf(loop);
  return (
    <li>
      <Link
        href={`/${config.id}`}
        onClick={onGo}
        aria-current={here ? "page" : undefined}
        title={`${config.name}: ${word}`}
        className={`flex h-8 items-center gap-2 rounded-md px-2 -outline-offset-2 touch:h-11 ${here ? "bg-raise font-medium" : "hover:bg-raise"}`}
      >
        <StateGlyph {...standing} className="size-3.5" />
        <span className="sr-only">{word}: </span>
        <span className="min-w-0 flex-1 truncate">{config.name}</span>
        <span aria-hidden="true" className="flex w-8 justify-end overflow-hidden">
          <Spark outcomes={state.outcomes} open={state.status === "running"} />
        </span>
        <span className="figure min-w-9 text-right text-soft">
          {done}
          {limit === undefined ? "" : `/${limit}`}
        </span>
      </Link>
    </li>
  );
});
