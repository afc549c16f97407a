import type { LoopView } from "@ralpher/contract";
import { useRef } from "react";
import { useLocation, useSearch } from "wouter";
import { BoardView } from "../../work-items/board-view.tsx";
import { hrefOf } from "../tabs.ts";

/** The work items of the loop's milestone. */
export function ItemsTab({ view, active }: { view: LoopView; active: boolean }) {
  const [, navigate] = useLocation();
  const item = new URLSearchParams(useSearch()).get("item");
  const last = useRef<string | null>(null);
  if (active) last.current = item;
  const root = view.soda?.root?.id;
  if (root === undefined) {
    return (
      <p className="px-4 py-5 text-soft lg:px-6">
        There are no work items yet. The loop makes one for the milestone when it starts, and tasks under it in each
        iteration.
      </p>
    );
  }
  return (
    <div className="absolute inset-0">
      <BoardView
        directory={view.config.directory}
        root={root}
        active={active}
        selected={last.current}
        onSelect={(id) => navigate(hrefOf(view.id, "work-items", id === null ? {} : { item: id }), { replace: true })}
      />
    </div>
  );
}
