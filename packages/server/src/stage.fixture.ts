import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import type { Hub } from "@ralpher/contract";
import { openGround, openLab, type Play, said } from "@ralpher/loop/lab";
import { openServer, type ServerOptions } from "./open-server.ts";

export const play: Play = async function* ({ request, prompt }) {
  const n = /This is iteration (\d+)/.exec(prompt)?.[1] ?? "?";
  await writeFile(join(request.directory, `work-${n}.txt`), "work\n");
  for (const delta of ["one ", "two ", "three"])
    yield { type: "message.delta", messageId: `m${n}`, kind: "text", delta };
  yield { type: "message.complete", messageId: `m${n}`, kind: "text", text: "one two three" };
  return said(n === "3" ? "<promise>COMPLETE</promise>" : "more");
};

export type Ground = Awaited<ReturnType<typeof openGround>>;

/** A server over the hub; `bugs` is what must not happen. */
export function serve(hub: Hub, token: string | null = null, more: Pick<ServerOptions, "heartbeatMs"> = {}) {
  const bugs: unknown[] = [];
  const server = openServer({
    hub,
    hostname: "127.0.0.1",
    port: 0,
    tries: 1,
    token,
    version: "9.9.9",
    dashboard: Promise.resolve(null),
    onBug: (error) => bugs.push(error),
    ...more,
  });
  return { server, bugs };
}

/** A server over a real hub, in a ground of its own. */
export async function openAll(
  options: { token?: string; play?: Play; ground?: Ground; runs?: "all" | "adopted" } = {},
) {
  const ground = options.ground ?? (await openGround());
  const lab = openLab({ ...ground, play: options.play ?? play, runs: options.runs ?? "all" });
  const { server, bugs } = serve(lab.hub, options.token);
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(server.url + path, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text,
    };
  };
  return {
    ...ground,
    lab,
    server,
    call,
    bugs,
    request: { directory: ground.repository, prompt: "Do it.", backend: { type: "scripted" } },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await lab[Symbol.asyncDispose]();
      if (options.ground === undefined) await ground[Symbol.asyncDispose]();
    },
  };
}

export interface Seen {
  id: number | null;
  data: Record<string, unknown>;
}

function readEvent(block: string): Seen[] {
  const data = /^data: (.*)$/m.exec(block)?.[1];
  if (data === undefined) return [];
  const id = /^id: (\d+)$/m.exec(block)?.[1];
  return [{ id: id === undefined ? null : Number(id), data: JSON.parse(data) }];
}

/** Read server-sent events until the condition holds. */
export async function readEvents(
  url: string,
  enough: (events: Seen[]) => boolean,
  headers: Record<string, string> = {},
) {
  const leaving = new AbortController();
  const response = await fetch(url, { headers, signal: leaving.signal });
  const events: Seen[] = [];
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  while (reader !== undefined && !enough(events)) {
    const { value, done } = await reader.read();
    if (done) break;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop() ?? "";
    events.push(...blocks.flatMap(readEvent));
  }
  leaving.abort();
  return events;
}

export const ended = (events: { data: Record<string, unknown> }[]) =>
  events.some(({ data }) => data.type === "loop.completed");

/** A reader of an event stream that reads only when it is told to, on a socket of its own. */
export async function openIdleReader(url: string) {
  const { hostname, port, pathname, search } = new URL(url);
  const socket = connect(Number(port), hostname);
  const unchunk = createUnchunk();
  const events: Seen[] = [];
  let rest = "";
  let ring = Promise.withResolvers<void>();
  socket.on("data", (bytes: Buffer) => {
    const blocks = (rest + unchunk(bytes)).split("\n\n");
    rest = blocks.pop() ?? "";
    events.push(...blocks.flatMap(readEvent));
    ring.resolve();
  });
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n\r\n`);
  await ring.promise;
  socket.pause();
  return {
    /** Read on until the condition holds of all the events so far. */
    async read(enough: (events: Seen[]) => boolean): Promise<Seen[]> {
      while (!enough(events)) {
        ring = Promise.withResolvers();
        socket.resume();
        await ring.promise;
      }
      socket.pause();
      return events;
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** Takes the bytes of an answer in chunks as they come, gives the text of the chunks that are whole. */
function createUnchunk(): (bytes: Buffer) => string {
  let rest: Buffer = Buffer.alloc(0);
  let isBody = false;
  const decoder = new TextDecoder();
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    let text = "";
    for (;;) {
      const end = rest.indexOf(isBody ? "\r\n" : "\r\n\r\n");
      if (end < 0) return text;
      const from = end + (isBody ? 2 : 4);
      const size = isBody ? Number.parseInt(rest.toString("latin1", 0, end), 16) : -2;
      if (rest.length < from + size + 2) return text;
      text += decoder.decode(rest.subarray(from, from + Math.max(0, size)), { stream: true });
      rest = rest.subarray(from + size + 2);
      isBody = true;
    }
  };
}
