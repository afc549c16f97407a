import { useEffect } from "react";
import { type Connection, worstOf } from "../feed/connection.ts";
import { createStore, useStore } from "../feed/store.ts";
import { putAwayOffline } from "../parts/notices.tsx";
import { exactTime, formatClock } from "../words/time.ts";
import { loopsFeed, shownLoopFeed } from "./feeds.ts";

const noConnection = createStore<Connection>({ state: "live" });

/** How fresh the page is: live, catching up, or offline since when, with a way to try at once. */
export function ConnectionMark() {
  const loop = useStore(shownLoopFeed, (feed) => feed);
  const first = useStore(loopsFeed.connection, (value) => value);
  const second = useStore(loop?.connection ?? noConnection, (value) => value);
  const connection = worstOf([first, second]);
  const { state } = connection;
  useEffect(() => {
    if (state === "live") putAwayOffline();
  }, [state]);
  const retry = () => {
    loopsFeed.retry();
    loop?.retry();
  };
  return (
    <div role="status" aria-label="Connection" className="flex items-center gap-1.5 text-small whitespace-nowrap">
      {connection.state === "live" && (
        <>
          <span aria-hidden="true" className="size-1.5 rounded-full bg-good" />
          <span className="text-soft">Live</span>
        </>
      )}
      {connection.state === "connecting" && <span className="text-soft">Connecting…</span>}
      {connection.state === "catching-up" && (
        <>
          <span aria-hidden="true" className="size-1.5 animate-breathe rounded-full bg-run" />
          <span className="text-run">Catching up…</span>
        </>
      )}
      {connection.state === "offline" && (
        <>
          <span aria-hidden="true" className="size-1.5 rounded-full bg-bad" />
          <span className="font-medium text-bad" title={exactTime(connection.since)}>
            Offline since {formatClock(connection.since)}
          </span>
          <button
            type="button"
            onClick={retry}
            className="rounded-sm px-1 text-ink underline underline-offset-2 touch:py-3"
          >
            Try now
          </button>
        </>
      )}
    </div>
  );
}
