import { useNow } from "../feed/clock.ts";
import { exactTime, formatAgo } from "../words/time.ts";

/** How long ago something was, kept up to date; exact on hover. `at` is an ISO time. */
export function Ago({ at, className }: { at: string; className?: string }) {
  const time = Date.parse(at);
  // The seconds of the first minute are the only ones that show.
  const now = useNow(Date.now() - time < 65_000 ? 1_000 : 15_000);
  return (
    <time dateTime={at} title={exactTime(time)} className={className}>
      {formatAgo(time, Math.max(now, time))}
    </time>
  );
}
