/** Iterations done, and against the limit a thin bar. */
export function Progress({ done, limit }: { done: number; limit: number | undefined }) {
  return (
    <div
      className="figure text-right"
      title={limit === undefined ? `${done} iterations, without a limit` : `${done} of ${limit} iterations`}
    >
      {done}
      <span className="text-soft">{limit === undefined ? "" : ` / ${limit}`}</span>
      {limit !== undefined && (
        <div aria-hidden="true" className="mt-0.5 h-0.5 overflow-hidden rounded-full bg-line">
          <div className="h-full bg-faint" style={{ width: `${Math.min(100, (done / limit) * 100)}%` }} />
        </div>
      )}
    </div>
  );
}
