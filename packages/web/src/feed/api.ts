import type { LoopId, LoopSummary, LoopView, StoredEvent } from "@ralpher/contract";
import { parseRefusal, unreachableRefusal } from "./refusal.ts";

/** One page of a loop's log holds this many events. */
export const logPage = 200;

/** Ask the API. @throws Refusal for every answer that is not 2xx, and when there is none. */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers: { accept: "application/json", ...init.headers } });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw unreachableRefusal();
  }
  if (!response.ok) throw parseRefusal(response.status, await response.text());
  return response;
}

/** The lines of all loops, newest activity first; `total` counts those beyond the server's limit too. */
export async function readLoops(signal: AbortSignal): Promise<{ loops: LoopSummary[]; total: number }> {
  const response = await request("/api/loops?limit=1000", { signal });
  const loops = (await response.json()) as LoopSummary[];
  return { loops, total: Number(response.headers.get("x-total-count") ?? loops.length) };
}

/** The folded view of one loop. @throws Refusal `loop_not_found` */
export async function readView(id: string, signal: AbortSignal): Promise<LoopView> {
  return (await (await request(`/api/loops/${id}/view`, { signal })).json()) as LoopView;
}

/** The newest log events before `before` (exclusive), oldest first; at most `limit`. */
export async function readLogBefore(
  id: string,
  before: number,
  limit: number,
  signal: AbortSignal,
): Promise<StoredEvent[]> {
  const query = new URLSearchParams({ before: String(before), limit: String(limit), newest: "true" });
  return (await (await request(`/api/loops/${id}/logs?${query}`, { signal })).json()) as StoredEvent[];
}

/** Send a command to a loop: `start`, `pause`, …; `delete` removes it. Resolves when the server has recorded it. */
export async function sendCommand(id: LoopId, command: string, body: Record<string, unknown> = {}): Promise<void> {
  if (command === "delete") {
    await request(`/api/loops/${id}`, { method: "DELETE" });
    return;
  }
  await request(`/api/loops/${id}/${command}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}
