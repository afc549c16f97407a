import Search from "lucide-react/icons/search";
import { type LogKind, logKinds } from "../../../feed/log-kinds.ts";
import { IconButton } from "../../../parts/button.tsx";
import { lazyPage } from "../../../parts/lazy-page.tsx";
import { TightSelect } from "../tight-select.tsx";
import type { LogSearch } from "./use-search.ts";

const bar = lazyPage(async () => (await import("./search-bar.tsx")).SearchBar);

/** Fetch the search's code before somebody wants it. */
export const preloadSearch = bar.preload;

/** What one can do with the log as a whole: search it, or see only some kinds of entries. */
export function LogTools({
  kind,
  onKind,
  log,
  searching,
  initial,
  onSearching,
}: {
  kind: LogKind;
  onKind: (kind: LogKind) => void;
  log: LogSearch;
  searching: boolean;
  initial: string;
  onSearching: (on: boolean) => void;
}) {
  if (searching) {
    return (
      <div className="flex w-full max-w-xl items-center bg-bg max-sm:absolute max-sm:inset-0 max-sm:z-10 max-sm:px-2">
        <bar.Page log={log} initial={initial} onClose={() => onSearching(false)} />
      </div>
    );
  }
  return (
    <>
      <TightSelect
        name="What to show"
        value={kind}
        onChange={(value) => onKind(value as LogKind)}
        chosen={kind !== "all"}
        className="max-w-48"
      >
        {logKinds.map(({ kind: value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </TightSelect>
      <IconButton name="Search the log (/)" onClick={() => onSearching(true)}>
        <Search />
      </IconButton>
    </>
  );
}
