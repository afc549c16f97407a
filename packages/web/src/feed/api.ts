import type { HandleUncommitted, LoopId, LoopSummary, UpdateMethod } from "@ralpher/contract";
import { createClient, good, read } from "@ralpher/server/client";
import type { ActionName } from "../words/actions.ts";
import { parseRefusal, unreachableRefusal } from "./refusal.ts";
import { noteStatus } from "./session.ts";

export { read } from "@ralpher/server/client";

const send = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
  const response = await fetch(input, init);
  noteStatus(response.status);
  return response;
};

/** The API of the server this page is from. */
export const client = createClient({ url: "", fetch: send as typeof fetch });

/** Ask the API by path, for what the typed client has no words for. @throws Refusal for every answer that is not 2xx */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await send(path, { ...init, headers: { accept: "application/json", ...init.headers } });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw unreachableRefusal();
  }
  if (!response.ok) throw parseRefusal(response.status, await response.text());
  return response;
}

/** So many lines a page: the first are on the screen before the last are asked for. */
const linesPage = 200;

/**
 * A page of the lines of all loops, newest activity first; `total` counts all there are, `next` is the offset to go on
 * from, or null after the last.
 */
export async function readLoops(
  offset: number,
  signal: AbortSignal,
): Promise<{ loops: LoopSummary[]; total: number; next: number | null }> {
  const query = { limit: linesPage, offset };
  const response = await good(client.loops.$get({ query }, { init: { signal } }));
  const loops = (await response.json()) as LoopSummary[];
  const total = Number(response.headers.get("x-total-count") ?? loops.length);
  const next = offset + loops.length;
  return { loops, total, next: loops.length < linesPage || next >= total ? null : next };
}

/** The loop, in the seed's shape: settings and state. @throws Refusal `loop_not_found` */
export function readLoop(id: string, signal?: AbortSignal) {
  return read(client.loops[":id"].$get({ param: { id } }, signal === undefined ? {} : { init: { signal } }));
}

/** What the commands take; each takes its own of it. */
export interface CommandBody {
  handleUncommitted?: HandleUncommitted;
  resetFailures?: boolean;
  now?: boolean;
  squash?: boolean;
  method?: UpdateMethod;
  title?: string;
  body?: string;
  draft?: boolean;
}

/** The commands that are one request. */
export type Sendable = Exclude<ActionName, "extend" | "stop-vault">;

const loop = client.loops[":id"];
const commands: Record<Sendable, (param: { id: LoopId }, body: CommandBody) => Promise<object>> = {
  start: (param, { handleUncommitted, resetFailures }) =>
    read(loop.start.$post({ param, json: { handleUncommitted, resetFailures } })),
  pause: (param, { now }) => read(loop.pause.$post({ param, json: { now } })),
  resume: (param) => read(loop.resume.$post({ param, json: {} })),
  stop: (param) => read(loop.stop.$post({ param, json: {} })),
  accept: (param, { squash }) => read(loop.accept.$post({ param, json: { squash } })),
  "update-branch": (param, { method = "merge" }) => read(loop["update-branch"].$post({ param, json: { method } })),
  push: (param) => read(loop.push.$post({ param, json: {} })),
  "pull-request": (param, { title, body, draft }) =>
    read(loop["pull-request"].$post({ param, json: { title, body, draft } })),
  discard: (param) => read(loop.discard.$post({ param, json: {} })),
  restore: (param) => read(loop.restore.$post({ param, json: {} })),
  delete: (param) => read(loop.$delete({ param })),
};

/** Send a command to a loop. Resolves with the answer, once it is recorded. @throws Refusal */
export function sendCommand(id: LoopId, command: Sendable, body: CommandBody = {}): Promise<object> {
  return commands[command]({ id }, body);
}
