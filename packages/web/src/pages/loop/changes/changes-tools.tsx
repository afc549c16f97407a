import type { LoopView } from "@ralpher/contract";
import Columns2 from "lucide-react/icons/columns-2";
import RefreshCw from "lucide-react/icons/refresh-cw";
import type { DiffScope } from "../../../feed/loop-api.ts";
import { Button, IconButton } from "../../../parts/button.tsx";
import { firstLine } from "../../../words/cut.ts";
import { TightSelect } from "../tight-select.tsx";
import type { DiffMode } from "./use-diff-mode.ts";

/** Which changes, and how they are shown. */
export function ChangesTools({
  view,
  scope,
  onScope,
  mode,
  onMode,
  stale,
  loading,
  onRefresh,
}: {
  view: LoopView;
  scope: DiffScope;
  onScope: (query: Record<string, string | number>) => void;
  mode: DiffMode;
  onMode: (mode: DiffMode) => void;
  stale: boolean;
  loading: boolean;
  onRefresh: () => void;
}) {
  const value =
    scope.commit !== undefined
      ? `commit:${scope.commit}`
      : scope.iteration !== undefined
        ? `iteration:${scope.iteration}`
        : "";
  const iterations = view.recent.filter(({ commits }) => commits > 0).map(({ iteration }) => iteration);
  const commits = view.commits.map(({ sha, message }) => ({ sha, label: firstLine(message) }));
  if (scope.iteration !== undefined && !iterations.includes(scope.iteration)) iterations.unshift(scope.iteration);
  if (scope.commit !== undefined && !commits.some(({ sha }) => sha === scope.commit)) {
    commits.unshift({ sha: scope.commit, label: "" });
  }
  return (
    <>
      {stale && (
        <Button className="text-small !h-7 text-run touch:!h-11" busy={loading} onClick={onRefresh}>
          <RefreshCw aria-hidden="true" />
          <span className="max-sm:sr-only">There is more</span>
        </Button>
      )}
      <TightSelect
        name="Which changes"
        value={value}
        onChange={(chosen) => {
          const [name = "", rest = ""] = chosen.split(":");
          onScope(name === "" ? {} : { [name]: rest });
        }}
        chosen={value !== ""}
        className="max-w-56"
      >
        <option value="">All changes</option>
        {iterations.length > 0 && (
          <optgroup label="By iteration">
            {iterations.toReversed().map((iteration) => (
              <option key={iteration} value={`iteration:${iteration}`}>
                Iteration {iteration}
              </option>
            ))}
          </optgroup>
        )}
        {commits.length > 0 && (
          <optgroup label="By commit">
            {commits.toReversed().map(({ sha, label }) => (
              <option key={sha} value={`commit:${sha}`}>
                {sha.slice(0, 8)} {label.slice(0, 60)}
              </option>
            ))}
          </optgroup>
        )}
      </TightSelect>
      <IconButton
        name="Side by side (u)"
        aria-pressed={mode === "split"}
        className={`max-lg:hidden ${mode === "split" ? "bg-raise !text-ink" : ""}`}
        onClick={() => onMode(mode === "split" ? "unified" : "split")}
      >
        <Columns2 />
      </IconButton>
      {!stale && (
        <IconButton name="Read the changes again" busy={loading} onClick={onRefresh}>
          <RefreshCw />
        </IconButton>
      )}
    </>
  );
}
