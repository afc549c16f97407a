import type { EventBody, StoredEvent } from "@ralpher/contract";

export type Woken = Pick<Extract<StoredEvent, { type: "loop.woken" }>, "by" | "note">;

export function wake(woken: Woken): EventBody[] {
  return [{ type: "loop.woken", ...woken }, { type: "loop.starting" }];
}
