import { Script } from "@ralpher/contract";
import { dialects, post, user } from "./dialect.fixture.ts";
import { openModelServer } from "./model-server.ts";

// Clients ask for answers that take for ever, leave, and the server closes. A timer left behind would keep this process.
const forever = 2 ** 30;
const script = Script.parse({
  conversations: [
    { when: "delay", steps: [{ text: "late", delayMs: forever }] },
    { when: "deltas", steps: [{ text: "one two three", deltaDelayMs: forever }] },
    { when: "stall", steps: [{ text: "one", fault: { kind: "stall" } }] },
  ],
});
const server = openModelServer({ script });
const client = new AbortController();
const asks = dialects.flatMap((dialect) =>
  ["delay", "deltas", "stall"].flatMap((prompt) =>
    [true, false].map(async (stream) => {
      const body = dialect.body([user(prompt)], [], { stream });
      const response = post(server.url, dialect, body, { signal: client.signal });
      return response.then((r) => r.text()).catch(() => "left");
    }),
  ),
);
while (server.requests.length < asks.length) await Bun.sleep(1);
client.abort();
console.log((await Promise.all(asks)).join(" "));
await server[Symbol.asyncDispose]();
