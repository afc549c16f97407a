import ChevronRight from "lucide-react/icons/chevron-right";
import MessageSquare from "lucide-react/icons/message-square";
import { memo } from "react";
import { plural } from "../../words/count.ts";
import { ItemMark, PriorityMark } from "./item-mark.tsx";
import type { TreeRow } from "./tree-model.ts";

/** Deeper lines are not moved in further: on a phone there would be no room for their words. */
const deepest = 6;
const indents = ["pl-2", "pl-6", "pl-10", "pl-14", "pl-18", "pl-22", "pl-26"];

/** The items as lines, each with its mark, its words, and why nobody can work on it. */
export function ItemTree({
  rows,
  current,
  onPick,
  onFold,
}: {
  rows: TreeRow[];
  current: string | null;
  onPick: (id: string) => void;
  onFold: (id: string) => void;
}) {
  return (
    <ul aria-label="Work items" className="pb-6">
      {rows.map((row) => (
        <Line key={row.item.id} row={row} current={row.item.id === current} onPick={onPick} onFold={onFold} />
      ))}
    </ul>
  );
}

const Line = memo(
  function Line({
    row,
    current,
    onPick,
    onFold,
  }: {
    row: TreeRow;
    current: boolean;
    onPick: (id: string) => void;
    onFold: (id: string) => void;
  }) {
    const { item, depth, hasChildren, folded, ready, blocked, comments, matches } = row;
    const closed = item.status === "closed";
    return (
      <li
        className={`offscreen-cheap relative flex items-start gap-1 border-b border-line pr-3 last:border-b-0 ${indents[Math.min(depth, deepest)]} ${current ? "bg-run-tint" : "hover:bg-panel"}`}
      >
        {hasChildren ? (
          <button
            type="button"
            aria-expanded={!folded}
            aria-label={`${folded ? "Show" : "Hide"} what is under ${item.title}`}
            onClick={() => onFold(item.id)}
            className="relative z-10 mt-1.5 flex size-5 shrink-0 items-center justify-center rounded-sm text-soft hover:bg-raise hover:text-ink touch:-mx-2 touch:mt-0 touch:h-11 touch:w-9"
          >
            <ChevronRight
              aria-hidden="true"
              className={`size-3.5 transition-transform duration-100 ${folded ? "" : "rotate-90"}`}
            />
          </button>
        ) : (
          <span className="w-5 shrink-0 touch:w-5" />
        )}
        <button
          type="button"
          data-item={item.id}
          aria-current={current ? "true" : undefined}
          onClick={() => onPick(item.id)}
          className="min-w-0 flex-1 py-1.5 text-left outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-run touch:py-2.5"
        >
          <span className="flex items-start gap-1.5">
            <ItemMark status={item.status} />
            <span
              className={`line-clamp-2 min-w-0 flex-1 leading-5 [overflow-wrap:anywhere] ${matches && !closed ? "" : "text-soft"} ${depth === 0 && hasChildren ? "font-medium" : ""}`}
            >
              {item.title}
            </span>
            {comments > 0 && (
              <span
                title={plural(comments, "comment")}
                className="figure flex shrink-0 items-center gap-1 leading-5 text-soft"
              >
                <MessageSquare aria-hidden="true" className="size-3" />
                {comments}
                <span className="sr-only"> comments</span>
              </span>
            )}
            {ready && (
              <span className="shrink-0 rounded-sm bg-good-tint px-1 text-small leading-5 font-medium text-good">
                ready
              </span>
            )}
            <span className="leading-5">
              <PriorityMark priority={item.priority} />
            </span>
            <span className="figure w-[6.5ch] shrink-0 text-right leading-5 text-soft max-sm:hidden" title={item.id}>
              {item.id.slice(-6)}
            </span>
          </span>
          {blocked !== null && (
            <span className="mt-0.5 ml-5.5 line-clamp-2 block text-small text-bad [overflow-wrap:anywhere]">
              {blocked}
            </span>
          )}
        </button>
      </li>
    );
  },
  // A board that was read again holds the same lines as other objects.
  (a, b) =>
    a.current === b.current &&
    a.onPick === b.onPick &&
    a.onFold === b.onFold &&
    a.row.item.updatedAt === b.row.item.updatedAt &&
    a.row.item.id === b.row.item.id &&
    a.row.depth === b.row.depth &&
    a.row.hasChildren === b.row.hasChildren &&
    a.row.folded === b.row.folded &&
    a.row.ready === b.row.ready &&
    a.row.blocked === b.row.blocked &&
    a.row.comments === b.row.comments &&
    a.row.matches === b.row.matches,
);
