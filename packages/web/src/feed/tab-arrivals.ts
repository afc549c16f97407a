import { type Arrival, readArrival } from "./loop-state.ts";
import type { LineArrival } from "./loops-state.ts";
import type { SseMessage } from "./sse.ts";

/** What the list is made of. */
const lineTypes = ["loop.summary", "loop.deleted", "loop.tool_call.start"] as const;

const isLine = ({ event: { type } }: Arrival) => (lineTypes as readonly string[]).includes(type);

/** Where the one stream of a tab is read: the lines of all loops, and everything of the loop on the screen. */
export function tabStreamUrl(loop: { id: string; after: number } | null): string {
  const path = `/api/events?types=${lineTypes.join(",")}`;
  return loop === null ? path : `${path}&loop=${loop.id}&after=${loop.after}`;
}

/** What of the stream's messages is for the list, and what for the loop; some is for both. Each in its order. */
export function partArrivals(
  messages: SseMessage[],
  loopId: string | null,
): { lines: LineArrival[]; ofLoop: Arrival[] } {
  const arrivals = messages.map(readArrival);
  return {
    lines: arrivals.filter(isLine).map(({ event }) => event as LineArrival),
    ofLoop: arrivals.filter(({ event }) => event.loopId === loopId),
  };
}
