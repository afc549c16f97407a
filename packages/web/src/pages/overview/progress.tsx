import { plural } from "../../words/count.ts";
import type { ProgressMade } from "../../words/progress.ts";

/** What is done, and against the limit a thin bar. */
export function Progress({ done, limit, of }: ProgressMade) {
  const isWhole = of === "step" && limit !== undefined && done >= limit;
  return (
    <div className="figure text-right" title={words({ done, limit, of })}>
      {done}
      <span className="text-soft">{limit === undefined ? "" : ` / ${limit}`}</span>
      {limit !== undefined && limit > 0 && (
        <div aria-hidden="true" className="mt-0.5 h-0.5 overflow-hidden rounded-full bg-line">
          <div
            className={`h-full ${isWhole ? "bg-good" : "bg-faint"}`}
            style={{ width: `${Math.min(100, (done / limit) * 100)}%` }}
          />
        </div>
      )}
    </div>
  );
}

function words({ done, limit, of }: ProgressMade): string {
  if (limit !== undefined) return `${done} of ${plural(limit, of)}${of === "step" ? " done" : ""}`;
  return of === "step" ? "Its steps are not known yet" : `${plural(done, of)}, without a limit`;
}
