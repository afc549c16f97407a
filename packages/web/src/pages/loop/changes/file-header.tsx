import type { FileDiff } from "@ralpher/contract";
import ChevronRight from "lucide-react/icons/chevron-right";
import { CopyButton } from "../../../parts/copy-button.tsx";
import { exactCount } from "../../../words/count.ts";
import { cutPath } from "../../../words/cut.ts";
import { StatusLetter } from "./status-letter.tsx";

/** The line a file's changes begin with: what happened to it, how much, and whether the reader has looked at it. */
export function FileHeader({
  file,
  folded,
  viewed,
  onFold,
  onViewed,
}: {
  file: FileDiff;
  folded: boolean;
  viewed: boolean;
  onFold: (file: FileDiff, folded: boolean) => void;
  onViewed: (file: FileDiff, viewed: boolean) => void;
}) {
  const { path, oldPath, status, additions, deletions } = file;
  const shown = cutPath(path, 90);
  const slash = shown.lastIndexOf("/") + 1;
  return (
    <div className="flex h-[37px] items-center gap-2 border-y border-line bg-panel pr-3 pl-1 touch:h-12">
      <button
        type="button"
        aria-expanded={!folded}
        onClick={() => onFold(file, !folded)}
        className="flex min-w-0 items-center gap-1.5 self-stretch pl-2 text-left -outline-offset-2"
      >
        <ChevronRight
          aria-hidden="true"
          className={`size-3.5 shrink-0 text-soft transition-transform duration-100 ${folded ? "" : "rotate-90"}`}
        />
        <StatusLetter status={status} />
        <span className="figure flex min-w-0" title={oldPath === undefined ? path : `${oldPath} → ${path}`}>
          {/* Where there is no room for all of it, its end says most. */}
          <span className="min-w-0 shrink truncate text-soft">{shown.slice(0, slash)}</span>
          <span className="max-w-full shrink-0 truncate font-semibold">{shown.slice(slash)}</span>
        </span>
        {oldPath !== undefined && (
          <span className="figure min-w-0 truncate text-soft max-md:hidden">was {cutPath(oldPath, 60)}</span>
        )}
      </button>
      <CopyButton text={path} what="the file's path" className="max-sm:hidden" />
      <span className="figure ml-auto flex shrink-0 gap-1.5">
        {additions > 0 && <span className="text-good">+{exactCount(additions)}</span>}
        {deletions > 0 && <span className="text-bad">−{exactCount(deletions)}</span>}
      </span>
      <label className="flex shrink-0 cursor-pointer items-center gap-1.5 self-stretch text-small text-soft select-none">
        <input
          type="checkbox"
          checked={viewed}
          aria-label={`Viewed ${path}`}
          onChange={(event) => onViewed(file, event.target.checked)}
          className="size-3.5 accent-[var(--run)] touch:size-5"
        />
        <span className="max-sm:hidden">Viewed</span>
      </label>
    </div>
  );
}
