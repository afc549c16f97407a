import type { PageLoad } from "../../../feed/loop-feed.ts";
import { Refusal } from "../../../feed/refusal.ts";

/** The line above the first row: how far back the log is loaded. */
export function Edge({
  reachesBeginning,
  older,
  loadOlder,
  empty,
  filtered,
}: {
  reachesBeginning: boolean;
  older: PageLoad;
  loadOlder: () => Promise<void>;
  empty: boolean;
  /** Only some kinds of entries are shown. */
  filtered: boolean;
}) {
  if (older instanceof Refusal) {
    return (
      <>
        <span className="text-bad">Earlier entries did not load. {older.message}</span>
        <button
          type="button"
          className="text-ink underline underline-offset-2 touch:py-3"
          onClick={() => void loadOlder()}
        >
          Try again
        </button>
      </>
    );
  }
  if (empty && reachesBeginning) {
    return filtered ? "There is nothing of this kind." : "Nothing has happened yet. What the loop does appears here.";
  }
  return reachesBeginning ? "The beginning" : "Loading earlier entries…";
}
