// The server side of `fanout`, in a process of its own. `ours`: engine, journal and server as a user runs them, with an
// agent that writes as told. `bare`: Bun.serve and nothing else, sending the bytes of the file it is given. Either prints
// where it is, and begins to send at the first byte of standard input.
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { openServer } from "@ralpher/server";
import { delta, deltas, deltasAtATime } from "./fanout-text.ts";
import { openEngine } from "./open-engine.ts";

const [kind, place = "", chunkSize = "65536"] = process.argv.slice(2);
const go = Bun.stdin.stream().getReader().read();

if (kind === "ours") await serveOurs(place);
else await serveBare(new Uint8Array(await Bun.file(place).arrayBuffer()), Number(chunkSize));

async function serveOurs(folder: string) {
  const engine = await openEngine(folder, {
    async *play() {
      await go;
      for (let n = 0; n < deltas; n++) {
        if (n % deltasAtATime === 0) await setImmediate();
        yield { type: "message.delta", messageId: "m", kind: "text", delta: delta(n) };
      }
      const text = Array.from({ length: deltas }, (_, n) => delta(n)).join("");
      yield { type: "message.complete", messageId: "m", kind: "text", text };
      return {
        outcome: "done",
        text: "<promise>COMPLETE</promise>",
        usage: { inputTokens: null, outputTokens: null, costUsd: null },
      };
    },
  });
  const server = openServer({
    hub: engine.hub,
    hostname: "127.0.0.1",
    port: 0,
    tries: 1,
    token: null,
    version: "bench",
    dashboard: Promise.resolve(null),
    onBug: console.error,
  });
  const id = await engine.create(join(folder, "repository"));
  await engine.hub.dispatch({ type: "start", loopId: id });
  console.log(`${server.url}/api/loops/${id}/events?after=0`);
}

/** The same bytes, in pieces of the same size, each handed to every client; yields as often as the agent does. */
async function serveBare(bytes: Uint8Array, size: number) {
  const clients: ReadableStreamDefaultController<Uint8Array>[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 60,
    fetch: ({ url }) =>
      url.includes("/api/")
        ? new Response()
        : new Response(
            new ReadableStream({
              start(client) {
                client.enqueue(new TextEncoder().encode(": here\n\n"));
                clients.push(client);
              },
            }),
            {
              headers: { "content-type": "text/event-stream" },
            },
          ),
  });
  console.log(`${server.url}`);
  await go;
  for (let from = 0; from < bytes.length; from += size) {
    const piece = bytes.subarray(from, from + size);
    for (const client of clients) client.enqueue(piece);
    await setImmediate();
  }
}
