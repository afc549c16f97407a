import { useEffect, useRef } from "react";
import { Link } from "wouter";
import { hrefInLine, type TabName, tabTitles } from "./tabs.ts";

/** The loop's tabs, and at the end what the one on the screen has for tools. */
export function TabBar({
  id,
  tabs,
  tab,
  marks,
  onTools,
}: {
  id: string;
  tabs: TabName[];
  tab: TabName;
  /** A few figures to stand beside a tab's name. */
  marks: Partial<Record<TabName, string>>;
  onTools: (element: HTMLElement | null) => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  // Where the tabs do not all fit, the one on the screen is in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when another tab is shown
  useEffect(() => {
    list.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ inline: "nearest", block: "nearest" });
  }, [tab]);
  return (
    <div className="relative flex h-10 shrink-0 items-center justify-between gap-2 border-b border-line pr-2 pl-1 touch:h-12 lg:pr-4 lg:pl-3">
      <nav aria-label="Parts of the loop" className="min-w-0 self-stretch overflow-x-auto [scrollbar-width:none]">
        <ul ref={list} className="flex h-full">
          {tabs.map((name, index) => (
            <li key={name} className="shrink-0">
              <Link
                href={hrefInLine(id, name, tabs)}
                aria-current={name === tab ? "page" : undefined}
                title={`${tabTitles[name]} (${index + 1})`}
                className={`flex h-full items-center gap-1.5 border-b-2 px-3 -outline-offset-2 ${name === tab ? "border-ink font-medium" : "border-transparent text-soft hover:text-ink"}`}
              >
                {tabTitles[name]}
                {marks[name] !== undefined && <span className="figure text-soft">{marks[name]}</span>}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div ref={onTools} className="flex min-w-0 items-center justify-end gap-1" />
    </div>
  );
}
